type Known = readonly (readonly [pattern: RegExp, name: string])[];

// Order matters: nearly every browser also names its ancestors.
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
 * Describes the device of a `User-Agent` header (RFC 9110, 10.1.5): "Firefox on Linux". Programs that aren't browsers
 * are named as they name themselves: "curl".
 */
export function describeDevice(userAgent: string | null): string {
  const text = userAgent?.trim() ?? "";
  const browser = findKnownName(browsers, text);
  const system = findKnownName(systems, text);
  if (browser) return system ? `${browser} on ${system}` : browser;
  if (text.startsWith("Mozilla/")) return system ? `A browser on ${system}` : "A browser";
  const [program = ""] = text.split("/");
  return program || "A program without a name";
}

function findKnownName(known: Known, text: string): string | undefined {
  return known.find(([pattern]) => pattern.test(text))?.[1];
}
