// What the page knows of each kind of link: how it is shared and how it is shown.
//
// `choice` is its name in the form, `fields` are its inputs there: a label, and the input's properties. A field that several
// kinds have is one input. `link` makes the link's JSON of their values, or throws what is to be told. `describe` says in one
// line what a link is, `detail` of what kind.

/** By the service's names, in the order of the form; a kind without fields is shown and not shared here. */
export const kinds = {
  url: {
    choice: "Link",
    fields: {
      url: { label: "Web address", type: "url", inputMode: "url", autocapitalize: "none", placeholder: "https://example.org/" },
      title: { label: "Title (optional)", maxLength: 500 },
    },
    link({ url, title }) {
      if (!url.trim()) throw new Error("Give a web address.");
      const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(url.trim());
      return { url: hasScheme ? url.trim() : `https://${url.trim()}`, title: title.trim() || undefined };
    },
    describe: (link) => link.title || host(link.url),
    detail: (link) => `Link to ${host(link.url)}`,
  },
  text: {
    choice: "Note",
    fields: { text: { label: "Note, up to 1000 characters", element: "textarea", rows: 4 } },
    link({ text }) {
      if (!text.trim()) throw new Error("Write a note.");
      return { text: text.replaceAll("\r\n", "\n") };
    },
    describe: (link) => link.text,
    detail: () => "Note",
  },
  file: {
    choice: "Picture",
    fields: {
      file: { label: "Picture or PDF, up to 10 MB", type: "file", accept: "image/png,image/jpeg,image/gif,image/webp,application/pdf" },
    },
    async link({ file }) {
      if (!file?.size) throw new Error("Choose a picture or PDF.");
      if (file.size > 10 * 2 ** 20) throw new Error("A file has at most 10 MB.");
      return { name: file.name, content: await base64(file) };
    },
    describe: (link) => link.title || link.name,
    detail: () => "File",
  },
  user: {
    choice: "User",
    fields: { user: { label: "Last.fm user", autocapitalize: "none", spellcheck: false } },
    link({ user }) {
      if (!user.trim()) throw new Error("Give a Last.fm name.");
      return { user: user.trim() };
    },
    describe: (link) => `${link.user} on Last.fm`,
    detail: () => "User",
  },
  chart: {
    choice: "Chart",
    fields: {
      user: { label: "Last.fm user", autocapitalize: "none", spellcheck: false },
      day: { label: "A day of the week", type: "date", min: "2005-02-13", max: day(0), value: day(1) },
    },
    link({ user, day }) {
      if (!user.trim()) throw new Error("Give a Last.fm name.");
      return { user: user.trim(), ...weekOf(day) };
    },
    describe: (link) => `${link.user}’s albums, week of ${new Date(link.from * 1000).toISOString().slice(0, 10)}`,
    detail: () => "Chart",
  },
  data: {
    // What a stranger's object has under these names may be anything.
    describe: ({ data }) => [data?.description, data?.title].find((text) => typeof text === "string" && text) ?? "Data",
    detail: () => "Data",
  },
};

function host(address) {
  try {
    return new URL(address).host;
  } catch {
    return address;
  }
}

const week = 604800;
// The beginning of Last.fm's first week, 13 February 2005, 12:00 UTC.
const firstWeek = 1108296000;

/**
 * The week that contains a day, as seconds since 1970; a Sunday means the week that begins on it at noon. The present week has no chart
 * before it is over: its days mean the last one, as in the command chirp share chart.
 */
export function weekOf(day) {
  const instant = Date.parse(`${day}T18:00:00Z`) / 1000, now = Date.now() / 1000;
  if (!Number.isFinite(instant)) throw new Error("Choose a day.");
  if (instant - 86400 > now) throw new Error("Choose a day that has been.");
  const numberOf = (instant) => Math.floor((instant - firstWeek) / week);
  const number = Math.min(numberOf(instant), numberOf(now) - 1);
  if (number < 0) throw new Error("Last.fm’s charts begin on 13 February 2005.");
  return { from: firstWeek + number * week, to: firstWeek + (number + 1) * week };
}

/** Today’s date so many years ago where the person is, not in Greenwich; of 29 February, the 28th where there is none. */
function day(yearsAgo) {
  const now = new Date(), year = now.getFullYear() - yearsAgo, month = now.getMonth() + 1;
  const lastOfMonth = new Date(year, month, 0).getDate();
  return [year, month, Math.min(now.getDate(), lastOfMonth)].map((number) => String(number).padStart(2, "0")).join("-");
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
