/**
 * The `content-disposition` of a download under a name from elsewhere (RFC 6266, appendix D): in ASCII for old clients,
 * and whole where that differs. Characters that could end the header, lead to another folder or turn the direction of
 * the name become `_`.
 */
export function formatAttachment(name: string): string {
  const safeName = name.replace(/[\p{Cc}\p{Cs}\p{Bidi_C}/\\:*?"<>|]/gu, "_");
  const asciiName = safeName.replace(/[^ -~]|%/g, "_");
  const simple = `attachment; filename="${asciiName}"`;
  if (asciiName === safeName) return simple;
  const encodedName = encodeURIComponent(safeName).replace(/['()]/g, escapeCharacter);
  return `${simple}; filename*=UTF-8''${encodedName}`;
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** File endings that differ from the type's second part: an `audio/mpeg` is an `.mp3`. */
const endings: Readonly<Record<string, string>> = {
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "image/jpeg": "jpg",
  "video/quicktime": "mov",
};

/** The file ending of a type: `video/webm` has `.webm`. Empty for a type that suggests no ending. */
export function chooseFileEnding(type: string): string {
  const ending = endings[type] ?? /^\w+\/(?:x-)?([a-z0-9]{2,5})$/.exec(type)?.[1];
  return ending ? `.${ending}` : "";
}
