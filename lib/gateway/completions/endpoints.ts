import { type ModelFamily, mediaFamilies } from "@/lib/contract/model-families";
import type { Endpoint } from "../providers/provider-client";

/** The model families that each endpoint serves. */
const familiesAt: Readonly<Record<Endpoint, readonly ModelFamily[]>> = {
  "chat/completions": ["chat", ...mediaFamilies],
  embeddings: ["embedding"],
  moderations: ["moderation"],
  "images/generations": ["image"],
  "images/edits": ["image"],
  videos: ["video"],
  "audio/speech": ["speech"],
  "audio/transcriptions": ["transcription"],
  "audio/translations": ["transcription"],
};

export function supportsFamily(endpoint: Endpoint, family: ModelFamily): boolean {
  return familiesAt[endpoint].includes(family);
}
