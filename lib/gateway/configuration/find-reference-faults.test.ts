import { expect, test } from "bun:test";
import { findReferenceFaults } from "./read-configuration";

test("a model of files that its provider's kind can't make is refused", () => {
  const file = {
    providers: [{ id: "acme", kind: "openai", base_url: "https://acme.example/v1" }],
    models: [
      { id: "tunes", family: "music", rate: "1", routes: [{ provider: "acme", model: "t" }] },
      { id: "films", family: "video", rate: "1", routes: [{ provider: "acme", model: "f" }] },
      { id: "songs", family: "music", rate: "1", routes: [{ provider: "sandbox", model: "s" }] },
    ],
  };
  const builtIn = { provider: "sandbox", models: [] };
  expect(findReferenceFaults(file, builtIn)).toEqual([
    'models[0].routes[0].provider: "acme" makes image, video, not music: use another provider, or another family',
  ]);
});
