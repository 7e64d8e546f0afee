import type { BodyDraft } from "../../log/bodies/stored-body";

/** Messages to the thread that stores bodies. */
export type ToBodies =
  | { readonly kind: "open"; readonly path: string; readonly secret: Uint8Array }
  | { readonly kind: "keep"; readonly draft: BodyDraft }
  | { readonly kind: "close" };

export type FromBodies =
  /** The bodies with these ids were stored, or dropped. */
  | { readonly kind: "done"; readonly ids: readonly string[] }
  | { readonly kind: "fault"; readonly reason: string }
  | { readonly kind: "closed" };
