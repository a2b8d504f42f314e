// What this browser shared and heard, kept in it alone, the latest first.

import { kinds } from "./kinds.js";

const key = "chirp-history";
const capacity = 200;

/** Entries { code, direction: "shared" | "heard", time, link, token }. */
export function entries() {
  try {
    const list = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list.filter((entry) => /^[0-9a-v]{10}$/.test(entry?.code)) : [];
  } catch {
    return [];
  }
}

/** The newest entries; those with the token that deletes their code go last. */
function newest(list) {
  let room = capacity - list.filter((entry) => entry.token).length;
  return list.filter((entry) => entry.token || room-- > 0).slice(0, capacity);
}

function keep(list) {
  try {
    localStorage.setItem(key, JSON.stringify(newest(list)));
  } catch {
    // A browser that keeps nothing shows what it can.
  }
}

/** Notes an entry; one that was shared before keeps the token that deletes it. */
export function note(entry) {
  const others = entries();
  const token = entry.token ?? others.find((one) => one.code === entry.code)?.token;
  // Out of the service's reach what was known before is better than nothing.
  const link = entry.link === undefined ? known(entry.code) : entry.link;
  const rest = others.filter((one) => one.code !== entry.code || one.direction !== entry.direction);
  keep([{ ...entry, link, token, pending: entry.pending && link === undefined, time: Date.now() }, ...rest]);
}

/** What a code stands for, as far as this browser has been told; undefined where it has not. */
export function known(code) {
  return entries().find((entry) => entry.code === code && entry.link)?.link;
}

/** Puts what a code stands for into its entries. */
export function resolve(code, link) {
  keep(entries().map((entry) => entry.code === code ? { ...entry, link, pending: undefined } : entry));
}

/** Codes that were heard while the service was out of reach. */
export function pending() {
  return entries().filter((entry) => entry.pending).map((entry) => entry.code);
}

/** What deletes a code that was shared here. */
export function token(code) {
  return entries().find((entry) => entry.code === code && entry.token)?.token;
}

export function forget(code) {
  keep(entries().filter((entry) => entry.code !== code));
}

/** How many codes only this browser can delete. */
export function deletable() {
  return new Set(entries().filter((entry) => entry.token).map((entry) => entry.code)).size;
}

export function clear() {
  localStorage.removeItem(key);
}

/** What a kind says of a link: whatever a sender or another version has made of it, it keeps nothing else from being shown. */
function said(link, what, otherwise) {
  try {
    const text = kinds[link?.kind]?.[what](link);
    return typeof text === "string" && text ? text : otherwise;
  } catch {
    return otherwise;
  }
}

/** A line that tells what a link is. */
export const describe = (link) => said(link, "describe", "Unknown here");

/** What is told beneath: the kind, of a link its host. */
export const detail = (link) => said(link, "detail", "A code that this service does not know");

/** An entry as an item of a list, with a button that plays it. */
export function item(entry, play) {
  const row = document.createElement("li");
  const what = document.createElement("a");
  what.className = "what";
  what.href = `/${entry.code}`;
  const text = entry.pending ? entry.code : describe(entry.link);
  what.textContent = text.length > 120 ? `${text.slice(0, 119)}…` : text;
  const about = document.createElement("span");
  about.className = "about";
  about.textContent = [entry.code, entry.pending ? "Looked up when there is a network" : detail(entry.link), entry.about].filter(Boolean).join(" · ");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Play";
  button.setAttribute("aria-label", `Play ${entry.code}`);
  button.addEventListener("click", () => play(entry.code));
  row.dataset.code = entry.code;
  if (entry.about) row.dataset.about = entry.about;
  row.append(what, about, button);
  return row;
}
