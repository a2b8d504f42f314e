// The first page: listen, share, history.

import * as history from "./history.js";
import { Listener, obstacle } from "./listen.js";
import { draw, play } from "./play.js";
import { linkOf, register } from "./share.js";

const find = (id) => document.getElementById(id);

// History

function say(element, text, isWarning = false) {
  element.textContent = text;
  element.classList.toggle("warning", isWarning);
}

function playFrom(status) {
  return (code) => play(code).catch((error) => say(status, error.message, true));
}

function showHistory() {
  const list = history.entries();
  find("history").replaceChildren(...list.map((entry) => {
    const about = `${entry.direction} ${new Date(entry.time).toLocaleString()}`;
    return history.item({ ...entry, about }, playFrom(find("share-status")));
  }));
  find("history-clear").hidden = list.length === 0;
}

find("history-clear").addEventListener("click", () => {
  history.clear();
  showHistory();
});
window.addEventListener("storage", showHistory);
window.addEventListener("pageshow", showHistory);

// Share

const form = find("share-form");
const shareStatus = find("share-status");

function showFields() {
  const kind = new FormData(form).get("kind");
  for (const fields of form.querySelectorAll(".fields")) {
    fields.hidden = fields.dataset.kind !== kind && fields.dataset.also !== kind;
  }
}

async function share() {
  const { link, deletion_token: token } = await register(await linkOf(form));
  history.note({ code: link.code, direction: "shared", link: forHistory(link), token });
  showHistory();
  find("shared").hidden = false;
  find("shared-code").textContent = link.code;
  find("shared-page").href = `/${link.code}`;
  find("shared-wave").href = `/${link.code}.wav`;
  find("shared-wave").download = `${link.code}.wav`;
  const mark = await draw(find("shared-spectrogram"), link.code);
  find("shared-play").onclick = () =>
    play(link.code, mark).catch((error) => say(shareStatus, error.message, true));
}

function forHistory(link) {
  const { kind, url, title, text, user, from, to, name, data } = link;
  return { kind, url, title, text, user, from, to, name, data };
}

form.addEventListener("change", showFields);
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button");
  button.disabled = true;
  say(shareStatus, "Asking for a code …");
  try {
    await share();
    say(shareStatus, "");
  } catch (error) {
    const text = error instanceof TypeError ? "The service is out of reach: try again later." : error.message;
    say(shareStatus, text, true);
  }
  button.disabled = false;
});

const lastYear = new Date();
lastYear.setFullYear(lastYear.getFullYear() - 1);
find("share-day").value = lastYear.toISOString().slice(0, 10);
find("share-day").max = new Date().toISOString().slice(0, 10);
showFields();

// Listen

const listenButton = find("listen-button");
const listenStatus = find("listen-status");
const level = find("listen-level");
let listener;

function listens(isListening) {
  listenButton.textContent = isListening ? "Stop listening" : "Listen with the microphone";
  listenButton.setAttribute("aria-pressed", isListening);
  level.hidden = !isListening;
}

listenButton.addEventListener("click", async () => {
  if (listener) return listener.stop();
  const candidate = new Listener({
    onChirp(chirp) {
      const entry = { code: chirp.code, direction: "heard", link: chirp.link && forHistory(chirp.link) };
      history.note(entry);
      find("heard").prepend(history.item(entry, playFrom(listenStatus)));
      showHistory();
    },
    onLevel(peak) {
      level.value = Math.sqrt(peak);
    },
    onTrouble(text) {
      say(listenStatus, text ?? "Listening. Hold the microphone towards the sound.", Boolean(text));
    },
    onEnd(text) {
      listener = undefined;
      listens(false);
      say(listenStatus, text ?? "", Boolean(text));
    },
  });
  say(listenStatus, "Asking for the microphone …");
  listenButton.disabled = true;
  try {
    await candidate.start();
    listener = candidate;
    listens(true);
    say(listenStatus, "Listening. Hold the microphone towards the sound.");
  } catch (error) {
    say(listenStatus, error.message, true);
  }
  listenButton.disabled = false;
});

if (obstacle()) say(listenStatus, obstacle(), true);
showHistory();
