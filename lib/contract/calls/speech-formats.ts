// Has no imports, so that a screen that uses it doesn't load the schemas.

/** The formats of spoken text, by their names in OpenAI's API. */
export const speechFormats = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
