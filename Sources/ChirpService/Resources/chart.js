// Artwork and details of a weekly chart's albums, asked for as their rows come into view.

const list = document.querySelector(".albums");
// The service gives a client a part of its places, and Last.fm is asked a few times a second: more would only wait there.
const requestsAtOnce = 4;
const waitingRows = [];
let requests = 0;

async function details(row) {
  const address = `${list.dataset.details}${row.dataset.rank}?years=${list.dataset.years}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await fetch(address);
    if (answer.ok) return answer.json();
    if (answer.status !== 429 && answer.status !== 503) break;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(answer.headers.get("Retry-After") || 2)));
  }
  throw new Error("There is nothing more about this album.");
}

function counted(plays) {
  return plays === 1 ? "1 play" : `${plays.toLocaleString()} plays`;
}

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

function showDetails(row, button, album) {
  const shown = row.querySelector(".details");
  if (shown) shown.remove();
  else {
    const box = document.createElement("div");
    box.className = "details";
    const plays = [
      album.plays_by_user !== null && `${counted(album.plays_by_user)} in all`,
      album.plays !== null && `${counted(album.plays)} by everybody`,
    ].filter(Boolean).join(", ");
    if (plays) box.append(paragraph(plays));
    box.append(paragraph(album.summary ?? "No description."));
    row.append(box);
  }
  button.setAttribute("aria-expanded", !shown);
}

async function fill(row) {
  const album = await details(row);
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-label", `More about ${album.album}`);
  if (album.image) {
    const picture = document.createElement("img");
    picture.alt = "";
    picture.width = picture.height = 56;
    picture.src = album.image;
    button.append(picture);
  } else {
    button.textContent = "…";
  }
  button.addEventListener("click", () => showDetails(row, button, album));
  row.querySelector(".artwork").replaceChildren(button);
}

function fillWaiting() {
  while (requests < requestsAtOnce && waitingRows.length) {
    requests++;
    fill(waitingRows.shift()).catch(() => { /* The row says what there is to say. */ }).finally(() => {
      requests--;
      fillWaiting();
    });
  }
}

if (list) {
  const observer = new IntersectionObserver((rows) => {
    for (const { isIntersecting, target } of rows) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      waitingRows.push(target);
    }
    fillWaiting();
  }, { rootMargin: "200px" });
  for (const row of list.children) observer.observe(row);
}
