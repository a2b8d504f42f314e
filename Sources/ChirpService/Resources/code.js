// The page of a code: plays it, shows its spectrogram, deletes it where it was shared from here.

import "./chart.js";
import { forget, token } from "./history.js";
import { draw, formats, play } from "./play.js";

const find = (id) => document.getElementById(id);
const code = find("link").dataset.code;
const status = find("status");
let mark = () => {};

function say(text) {
  status.textContent = text;
  status.classList.add("warning");
}

const button = find("play");
button.hidden = false;
find("audio").hidden = true;
button.addEventListener("click", () => play(code, (seconds) => mark(seconds)).catch((error) => say(error.message)));

const silently = find("play-silently");
formats.then((formats) => { silently.hidden = !formats.some(({ name }) => name === "ultrasonic"); });
silently.addEventListener("click", () => play(code, undefined, "ultrasonic").catch((error) => say(error.message)));

draw(find("spectrogram"), code).then((drawn) => {
  mark = drawn;
  find("spectrogram").hidden = false;
  find("drawing").hidden = true;
}, () => { /* The drawing of its tones stays. */ });

const secret = token(code);
if (secret) {
  const button = find("delete");
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (!confirm(`Delete ${code}? Afterwards nobody can open it.`)) return;
    const answer = await fetch(`/registry/links/${code}`, {
      method: "DELETE", headers: { Authorization: `Bearer ${secret}` },
    }).catch(() => null);
    if (answer?.ok || answer?.status === 404) {
      forget(code);
      location.assign("/");
    } else {
      const body = await answer?.json().catch(() => null);
      say(body?.error?.msg ?? "The service is unreachable: try again later.");
    }
  });
}
