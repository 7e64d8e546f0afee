import type { Clock } from "../../effects";
import { type MediaClient, type MediaOrder, OrderRefused, type RemoteTask } from "../media-client";
import { drawPicture } from "./draw-picture";
import { encodePng } from "./encode-png";
import { encodeWav } from "./encode-wav";
import { encodeWebm } from "./encode-webm";
import { playTune } from "./play-tune";
import { readSandboxWish } from "./sandbox-wish";
import { seedOf } from "./seed-of";

const POLL_MS = 200;
/** A task's id tells when it began, and so how far it is: the sandbox keeps nothing. */
const REMOTE_ID = /^sandbox-(\d+)-(.+)$/;

const mimeTypes = { image: "image/png", video: "video/webm", music: "audio/wav" } as const;

/**
 * The offline stand-in for a provider of media: makes real files, the same ones for the same order. The field `sandbox` of an
 * order says how long the task takes and how it ends, see `SandboxWish`.
 */
export function createSandboxMediaClient({ nowMs }: Clock): MediaClient {
  const begunAtMs = ({ id }: RemoteTask) => Number(REMOTE_ID.exec(id)?.[1] ?? 0);
  return {
    submitsOnce: true,
    pollMs: POLL_MS,
    async submit(order, key) {
      const { outcome } = readSandboxWish(order);
      if (outcome === "refused") throw new OrderRefused("content_policy", "The sandbox refuses this order.");
      return `sandbox-${nowMs()}-${key}`;
    },
    async poll(remote) {
      const { takesMs, outcome } = readSandboxWish(remote.order);
      const passed = nowMs() - begunAtMs(remote);
      if (outcome === "never ends") return { kind: "running", progress: 50 };
      if (passed < takesMs) return { kind: "running", progress: Math.floor((100 * passed) / takesMs) };
      if (outcome === "failed")
        return { kind: "failed", code: "sandbox_failure", message: "The sandbox fails this task." };
      const { family, count } = remote.order;
      return { kind: "succeeded", mimeTypes: Array.from({ length: count }, () => mimeTypes[family]) };
    },
    async cancel() {},
    async open({ order }, position) {
      return new Blob([await make(order, position)]).stream();
    },
  };
}

async function make(order: MediaOrder, position: number): Promise<Uint8Array<ArrayBuffer>> {
  const { family, model, prompt, size, seconds, quality } = order;
  const seed = seedOf([model, prompt, quality ?? "", String(position)].join("\n"));
  const picture = size ?? { width: 1, height: 1 };
  if (family === "image") return encodePng(drawPicture(seed, picture, 0));
  if (family === "video") return encodeWebm(seed, picture, seconds ?? 1);
  return encodeWav(playTune(seed, seconds ?? 1));
}
