// The first page: listen, share, history.

import * as history from "./history.js";
import { decodeFile, Listener, obstacle, receiver } from "./listen.js";
import { draw, formats, pitchesOf, play } from "./play.js";
import { linkOf, makeForm, register } from "./share.js";
import { drawSpectrogram } from "./spectrogram.js";

const find = (id) => document.getElementById(id);

// History

function say(element, text, isWarning = false) {
  element.textContent = text;
  element.classList.toggle("warning", isWarning);
}

// A button that is disabled would lose the focus of who has just pressed it.
const isBusy = (button) => button.getAttribute("aria-disabled") === "true";
const setBusy = (button, isBusy) => button.setAttribute("aria-disabled", isBusy);

function playFrom(status) {
  return (code) => play(code, undefined, sendAs.value).catch((error) => say(status, error.message, true));
}

function showHistory() {
  const list = history.entries(), rows = find("history").children;
  const focused = [...rows].findIndex((row) => row.contains(document.activeElement));
  const { code } = rows[focused]?.dataset ?? {}, { tagName } = document.activeElement ?? {};
  find("history").replaceChildren(...list.map((entry) => {
    const about = `${entry.direction} ${new Date(entry.time).toLocaleString()}`;
    return history.item({ ...entry, about }, playFrom(find("share-status")));
  }));
  find("history-clear").hidden = list.length === 0;
  // Who is on a row of the list stays there.
  if (code) find("history").querySelector(`[data-code="${code}"] ${tagName}`)?.focus();
}

find("history-clear").addEventListener("click", () => {
  const count = history.deletable(), codes = count === 1 ? "A code that was" : `${count} codes that were`;
  if (count > 0 && !confirm(`${codes} shared here can then no longer be deleted. Clear the history?`)) return;
  history.clear();
  showHistory();
});
window.addEventListener("storage", showHistory);
window.addEventListener("pageshow", showHistory);

// Share

/** The format in which codes are played. Without the module there is only one, and no choice. */
const sendAs = find("send-as");
formats.then((formats) => {
  find("send-as-row").hidden = formats.length < 2;
  for (const option of sendAs.options) option.hidden = !formats.some(({ name }) => name === option.value);
});

const form = find("share-form");
const shareStatus = find("share-status");

async function share() {
  const { link, deletion_token: token } = await register(await linkOf(form));
  history.note({ code: link.code, direction: "shared", link: forHistory(link), token });
  showHistory();
  find("shared").hidden = false;
  find("shared-code").textContent = link.code;
  find("shared-page").href = `/${link.code}`;
  let mark = () => {};
  const show = async () => {
    const format = sendAs.value, isOriginal = format === "original";
    find("shared-wave").href = `/${link.code}.wav${isOriginal ? "" : `?format=${format}`}`;
    find("shared-wave").download = `${link.code}${isOriginal ? "" : `-${format}`}.wav`;
    mark = await draw(find("shared-spectrogram"), link.code, format);
  };
  sendAs.onchange = () => show().catch((error) => say(shareStatus, error.message, true));
  find("shared-play").onclick = () =>
    play(link.code, (time) => mark(time), sendAs.value).catch((error) => say(shareStatus, error.message, true));
  await show();
  return link.code;
}

/** What a link is, without what is told of its code and its bytes. */
function forHistory({ code, created, expires, asked_by, mimetype, size, sha256, ...link }) {
  return link;
}

makeForm(form);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button");
  if (isBusy(button)) return;
  setBusy(button, true);
  say(shareStatus, "Asking for a code …");
  try {
    say(shareStatus, `The code is ${await share()}.`);
  } catch (error) {
    say(shareStatus, error.message, true);
  }
  setBusy(button, false);
});

// Listen

const listenButton = find("listen-button");
const listenStatus = find("listen-status");
const fileStatus = find("file-status");
const level = find("listen-level");
let listener;

/** What a code stands for, as far as the service knows; undefined where it is out of reach. */
async function lookUp(code) {
  try {
    const answer = await fetch(`/registry/links/${code}`, { headers: { Accept: "application/json" } });
    if (answer.status === 404) return null;
    return answer.ok ? forHistory(await answer.json()) : undefined;
  } catch {
    return undefined;
  }
}

function showLink(code, link) {
  history.resolve(code, link);
  for (const [list, status] of [["heard", listenStatus], ["file-heard", fileStatus]]) {
    for (const row of document.querySelectorAll(`#${list} li[data-code="${code}"]`)) {
      row.replaceWith(history.item({ code, direction: "heard", link, about: row.dataset.about }, playFrom(status)));
    }
  }
  showHistory();
}

/** How often each code has been heard since the page was opened, and how many of them are listed. */
const counts = new Map(), listed = 50;

/** Shows a code at once, and what it stands for as soon as that is known. One that is heard again moves up. */
async function hear(chirp) {
  const { code } = chirp, isTold = chirp.link !== undefined;
  const count = (counts.get(code) ?? 0) + 1;
  counts.set(code, count);
  const link = isTold ? chirp.link && forHistory(chirp.link) : history.known(code);
  const entry = { code, direction: "heard", link, pending: link === undefined };
  history.note(entry);
  const about = count > 1 ? `heard ${count} times` : undefined;
  const rows = find("heard");
  rows.querySelector(`li[data-code="${code}"]`)?.remove();
  rows.prepend(history.item({ ...entry, about }, playFrom(listenStatus)));
  while (rows.children.length > listed) rows.lastChild.remove();
  showHistory();
  // What is repeated is not asked for again and again.
  if (isTold || count > 1 && link) return;
  const found = await lookUp(code);
  if (found !== undefined) showLink(code, found);
  else lookUpLater();
}

/** How long the service is left alone after it could not be asked, in milliseconds: longer each time. */
const shortestPause = 5000, longestPause = 300000;
let pause = shortestPause, later;

function lookUpLater() {
  if (later !== undefined) return;
  later = setTimeout(lookUpPending, pause);
  pause = Math.min(2 * pause, longestPause);
}

async function lookUpPending() {
  clearTimeout(later);
  later = undefined;
  let failures = 0;
  for (const code of history.pending()) {
    const link = await lookUp(code);
    if (link !== undefined) showLink(code, link);
    // One may be such that it cannot be told; the service is hardly there after three.
    else if (++failures === 3) break;
  }
  if (failures > 0) lookUpLater();
  else pause = shortestPause;
}

window.addEventListener("online", lookUpPending);
lookUpPending();

function listens(isListening) {
  listenButton.textContent = isListening ? "Stop listening" : "Listen with the microphone";
  level.hidden = !isListening;
  if (!isListening) find("listen-tones").hidden = true;
}

listenButton.addEventListener("click", async () => {
  if (isBusy(listenButton)) return;
  if (listener) return listener.stop();
  let trouble = null;
  // A worker that draws on a canvas keeps it.
  const used = find("listen-tones"), canvas = used.cloneNode();
  used.replaceWith(canvas);
  const candidate = new Listener({
    onChirp(chirp) {
      hear(chirp);
    },
    onLevel(peak) {
      // By steps: a browser draws for every change, and noise would have it draw all the time.
      const value = Math.sqrt(peak);
      if (Math.abs(value - level.value) >= 1 / 16) level.value = value;
    },
    onTrouble(text) {
      trouble = text;
      say(listenStatus, text ?? "Listening. Hold the microphone towards the sound.", Boolean(text));
    },
    onEnd(text) {
      listener = undefined;
      listens(false);
      say(listenStatus, text ?? "", Boolean(text));
    },
  }, canvas);
  say(listenStatus, "Asking for the microphone …");
  setBusy(listenButton, true);
  try {
    await candidate.start();
    listener = candidate;
    listens(true);
    if (!trouble) say(listenStatus, "Listening. Hold the microphone towards the sound.");
  } catch (error) {
    say(listenStatus, error.message, true);
  }
  setBusy(listenButton, false);
});

receiver.then((module) => {
  find("listen-where").textContent = module
    ? "Sound is decoded in this browser, and never leaves it."
    : "This browser cannot decode sound by itself: what the microphone hears is sent to this service while you listen.";
});

// Files

/** The file that was opened last: others are no longer shown. */
let latestFile;

async function openFile(file) {
  latestFile = file;
  say(fileStatus, `Decoding ${file.name} …`);
  find("file-heard").replaceChildren();
  find("file-spectrogram").hidden = true;
  try {
    const { chirps, samples, rate } = await decodeFile(file);
    if (file !== latestFile) return;
    const count = chirps.length === 1 ? "1 chirp" : `${chirps.length} chirps`;
    say(fileStatus, `${file.name}: ${chirps.length ? count : "no chirp"} in ${(samples.length / rate).toFixed(1)} s.`);
    const canvas = find("file-spectrogram");
    const pitches = await pitchesOf(chirps[0]?.format);
    if (file !== latestFile) return;
    canvas.hidden = !pitches;
    const mark = pitches ? drawSpectrogram(canvas, samples, rate, pitches) : () => {};
    if (chirps.length > 0) mark(chirps[0].start);
    const rows = await Promise.all(chirps.map(async (chirp) => {
      const told = chirp.link === undefined ? await lookUp(chirp.code) : chirp.link;
      const link = told === undefined ? history.known(chirp.code) : told;
      const entry = { code: chirp.code, direction: "heard", link, pending: link === undefined, about: `at ${chirp.start.toFixed(2)} s` };
      history.note({ ...entry, about: undefined });
      if (entry.pending) lookUpLater();
      const row = history.item(entry, playFrom(fileStatus));
      row.addEventListener("pointerenter", () => mark(chirp.start));
      return row;
    }));
    if (file === latestFile) find("file-heard").replaceChildren(...rows);
    showHistory();
  } catch (error) {
    if (file === latestFile) say(fileStatus, error.message, true);
  }
}

// The same file may be chosen again.
find("file-choice").addEventListener("click", (event) => { event.target.value = ""; });
find("file-choice").addEventListener("change", (event) => {
  if (event.target.files[0]) openFile(event.target.files[0]);
});
// Text, and files that are dropped on a field for files, go where a browser puts them: into the fields.
const bringsFiles = ({ dataTransfer, target }) =>
  dataTransfer?.types.includes("Files") && !target.closest?.("input[type=file]");
document.addEventListener("dragover", (event) => { if (bringsFiles(event)) event.preventDefault(); });
document.addEventListener("drop", (event) => {
  if (!bringsFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
});

// An app: the page opens without a network.

navigator.serviceWorker?.register("/assets/offline.js", { scope: "/" }).catch(() => { /* It then needs one. */ });

if (obstacle()) say(listenStatus, obstacle(), true);
showHistory();
// Until here, and without scripts for good, they would do nothing.
for (const control of [listenButton, find("file-choice"), form.querySelector("button")]) control.disabled = false;
