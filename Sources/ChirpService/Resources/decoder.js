// Runs in a worker: decodes there, so that the page goes on.

import { load } from "./chirp.js";
import { chirpsOf, follow, formatsAt } from "./decoding.js";
import { Waterfall } from "./waterfall.js";

let chirp;

async function begin({ module }) {
  chirp = await load(module);
  postMessage({ isReady: true });
}

function listen({ port, rate, canvas }) {
  const waterfall = canvas && new Waterfall(canvas, chirp, rate, formatsAt(chirp, rate));
  follow(chirp, { port, rate, waterfall }, (told) => postMessage(told));
}

/** Decodes a channel, and gives it back. */
async function decode({ channel, rate }) {
  postMessage({ chirps: await chirpsOf(chirp, { channel, rate }), channel }, [channel.buffer]);
}

onmessage = async ({ data }) => {
  try {
    await (data.module ? begin(data) : data.port ? listen(data) : decode(data));
  } catch (error) {
    postMessage({ error: error.message });
  }
};
