type Known = readonly (readonly [pattern: RegExp, name: string])[];

// The order counts: nearly every browser also names those it descends from.
const browsers: Known = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera|OPT|OPiOS)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chromium)\//, "Chromium"],
  [/\b(Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const systems: Known = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * What a `User-Agent` header (RFC 9110, 10.1.5) says of a device, in plain words: "Firefox on Linux". A program that is
 * no browser goes by the name it gives itself: "curl".
 */
export function describeDevice(userAgent: string | null): string {
  const text = userAgent?.trim() ?? "";
  const browser = nameIn(browsers, text);
  const system = nameIn(systems, text);
  if (browser) return system ? `${browser} on ${system}` : browser;
  if (text.startsWith("Mozilla/")) return system ? `A browser on ${system}` : "A browser";
  const [program = ""] = text.split("/");
  return program || "A program without a name";
}

function nameIn(known: Known, text: string): string | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1];
}
