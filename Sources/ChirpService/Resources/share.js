// Gives things a code.

const week = 604800;
// The beginning of Last.fm's first week, 13 February 2005, 12:00 UTC.
const firstWeek = 1108296000;

/** The week that contains a day, as seconds since 1970; a Sunday means the week that begins on it at noon. */
export function weekOf(day) {
  const instant = Date.parse(`${day}T18:00:00Z`) / 1000;
  if (!Number.isFinite(instant)) throw new Error("Choose a day.");
  const number = Math.floor((instant - firstWeek) / week);
  if (number < 0) throw new Error("Last.fm’s charts begin on 13 February 2005.");
  return { from: firstWeek + number * week, to: firstWeek + (number + 1) * week };
}

async function base64(file) {
  const address = await new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result));
    reader.addEventListener("error", () => reject(new Error("The file cannot be read.")));
    reader.readAsDataURL(file);
  });
  return address.slice(address.indexOf(",") + 1);
}

/** The link that a form describes. */
export async function linkOf(form) {
  const fields = new FormData(form);
  const kind = fields.get("kind");
  const text = (name) => (fields.get(name) ?? "").trim();
  switch (kind) {
    case "url": {
      const url = text("url");
      if (!url) throw new Error("Give a web address.");
      return { kind, url: /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`, title: text("title") || undefined };
    }
    case "text": {
      if (!text("text")) throw new Error("Write a note.");
      return { kind, text: fields.get("text").replaceAll("\r\n", "\n") };
    }
    case "user":
      if (!text("user")) throw new Error("Give a Last.fm name.");
      return { kind, user: text("user") };
    case "chart":
      if (!text("user")) throw new Error("Give a Last.fm name.");
      return { kind, user: text("user"), ...weekOf(fields.get("day")) };
    default: {
      const file = fields.get("file");
      if (!file?.size) throw new Error("Choose a picture or PDF.");
      if (file.size > 10 * 2 ** 20) throw new Error("A file has at most 10 MB.");
      return { kind: "file", name: file.name, content: await base64(file) };
    }
  }
}

/** Asks for a code; the answer has the link, and when it is new the token that deletes it. */
export async function register(link) {
  const answer = await fetch("/registry/links", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...link, asked_by: "page" }),
  });
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(body?.error?.msg ?? `The service answered with status ${answer.status}.`);
  return body;
}
