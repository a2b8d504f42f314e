// Gives things a code.

import { kinds } from "./kinds.js";

/** Makes the choice of what to share, and the fields of all kinds. */
export function makeForm(form) {
  const shared = Object.entries(kinds).filter(([, { fields }]) => fields);
  for (const [kind, { choice, fields }] of shared) {
    const radio = Object.assign(document.createElement("input"), { type: "radio", name: "kind", value: kind });
    radio.defaultChecked = kind === shared[0][0];
    const label = document.createElement("label");
    label.append(radio, Object.assign(document.createElement("span"), { textContent: choice }));
    form.querySelector(".kinds").append(label);
    for (const [name, field] of Object.entries(fields)) {
      if (!form.elements[name]) form.querySelector("#share-fields").append(makeField(name, field));
    }
  }
  form.addEventListener("change", () => showFields(form));
  showFields(form);
}

function makeField(name, { label, element = "input", ...properties }) {
  const input = Object.assign(document.createElement(element), { id: `share-${name}-field`, name, autocomplete: "off", ...properties });
  const box = Object.assign(document.createElement("div"), { className: "fields" });
  box.append(Object.assign(document.createElement("label"), { htmlFor: input.id, textContent: label }), input);
  return box;
}

function showFields(form) {
  const { fields } = kinds[new FormData(form).get("kind")];
  for (const box of form.querySelectorAll(".fields")) {
    box.hidden = !(box.querySelector("input, textarea").name in fields);
  }
}

/** The link that the form describes. */
export async function linkOf(form) {
  const values = Object.fromEntries(new FormData(form));
  return { kind: values.kind, ...await kinds[values.kind].link(values) };
}

/** Fetches; where that fails it says so in words for people. */
export async function ask(address, options) {
  return await fetch(address, options).catch(() => {
    throw new Error("The service is unreachable: try again later.");
  });
}

/** Asks for a code; the answer has the link, and when it is new the token that deletes it. */
export async function register(link) {
  const answer = await ask("/registry/links", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...link, asked_by: "page" }),
  });
  const body = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(body?.error?.msg ?? `The service answered with status ${answer.status}.`);
  if (!body) throw new Error("The service’s answer cannot be read: try again later.");
  return body;
}
