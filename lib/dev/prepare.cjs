// Runs before anything else of the project, on any Node.js: no syntax newer than the oldest one still met.
"use strict";

const spawnSync = require("node:child_process").spawnSync;
const fs = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../..");
const required = /(\d+)\.(\d+)/.exec(readJson("package.json").engines.node).slice(1).map(Number);

const version = process.versions.node.split(".").map(Number);
if (version[0] < required[0] || (version[0] === required[0] && version[1] < required[1])) {
  stop(
    "Gatehouse needs Node.js " +
      required.join(".") +
      " or newer, this is " +
      process.versions.node +
      ": install one from https://nodejs.org and start again.",
  );
}

const installed = path.join(root, "node_modules", ".package-lock.json");
if (!fs.existsSync(installed)) {
  console.log("Installing the packages (npm ci), about a minute…");
  const result = spawnSync("npm", ["ci"], { cwd: root, stdio: "inherit" });
  if (result.status !== 0) stop("The packages could not be installed: see the lines above, then try again.");
}

const missing = findMissing(readPackages("package-lock.json"), readPackages(installed));
if (missing)
  stop(
    "The installed packages are not those of package-lock.json (" +
      missing +
      "): run npm ci and start again.",
  );

function readPackages(file) {
  return readJson(file).packages;
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(path.resolve(root, file), "utf8"));
}

/** The first package needed to run that is absent or of another version. */
function findMissing(wanted, present) {
  return Object.keys(wanted).find(function (name) {
    const entry = wanted[name];
    if (!isPackage(name, entry) || entry.optional || entry.dev || entry.devOptional || entry.peer)
      return false;
    return !present[name] || present[name].version !== entry.version;
  });
}

/** Whether the entry is an installed package: the project itself and workspaces hold what tests need. */
function isPackage(name, entry) {
  return name.indexOf("node_modules/") === 0 && !entry.link;
}

function stop(line) {
  console.error(line);
  process.exit(1);
}
