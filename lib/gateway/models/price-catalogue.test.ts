import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { findPriceFault } from "@/lib/contract/calls/find-price-fault";
import { presetNames } from "@/lib/contract/calls/provider-presets";
import { toPrice } from "./model-entry";
import { openServiceCatalogue } from "./price-catalogue";

const NOW = Date.UTC(2026, 10, 27);
const open = (preset: "anthropic" | "deepseek" | "gemini" | "groq" | "openai") =>
  openServiceCatalogue({ preset, baseUrl: "https://example.com" }, NOW);

test("the date of the catalogue is that of the version that is installed", async () => {
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
  expect(dependencies["@pydantic/genai-prices"]).toBe("0.1.8");
});

test("a price has the classes of the service, at the latest of its dates", async () => {
  const anthropic = await open("anthropic");
  expect(anthropic.find("claude-sonnet-4-6", "chat")).toMatchObject({
    contextWindow: 1_000_000,
    price: {
      input_per_1m: "3",
      cached_input_per_1m: "0.3",
      cache_write_5m_per_1m: "3.75",
      cache_write_1h_per_1m: "6",
      output_per_1m: "15",
      tools: { web_search: "0.01" },
    },
  });
  expect(anthropic.find("claude-sonnet-4-6", "chat")?.price).not.toHaveProperty("long_context");
});

test("a price of long prompts stands beside the other, and Google's names are found by their last part", async () => {
  const gemini = await open("gemini");
  expect(gemini.find("models/gemini-2.5-pro", "chat")?.price).toMatchObject({
    input_per_1m: "1.25",
    long_context_from: 200_000,
    long_context: { input_per_1m: "2.5", cached_input_per_1m: "0.25", output_per_1m: "15" },
  });
});

test("a price that differs by the hour is taken at its dearest, whatever the hour is", async () => {
  const prices = await Promise.all(
    [0, 3, 8, 12, 20].map(async (hour) => {
      const atMs = NOW + hour * 3_600_000;
      const catalogue = await openServiceCatalogue({ preset: "deepseek", baseUrl: "https://x.test" }, atMs);
      return catalogue.find("deepseek-v4-pro", "chat")?.price;
    }),
  );
  expect(new Set(prices.map((price) => JSON.stringify(price))).size).toBe(1);
  const first = prices[0];
  expect(Number(first?.output_per_1m)).toBeGreaterThan(0);
});

test("recordings are priced by the minute, and a family whose units aren't known has no price", async () => {
  const groq = await open("groq");
  expect(groq.find("whisper-large-v3", "transcription")).toMatchObject({
    price: null,
    unit_price: { unit: "minute", amount: "0.00185" },
  });
  const openai = await open("openai");
  expect(openai.find("gpt-image-1", "image")).toBeNull();
  expect(openai.find("no-such-model", "chat")).toBeNull();
});

test("every price of every service is one that a model here can have", async () => {
  const { findProvider } = await import("@pydantic/genai-prices");
  let priced = 0;
  for (const preset of presetNames) {
    const catalogue = await openServiceCatalogue({ preset, baseUrl: "https://api.example.com" }, NOW);
    const names = { bedrock: "aws", gemini: "google", xai: "x-ai" } as Record<string, string>;
    for (const { id } of findProvider({ providerId: names[preset] ?? preset })?.models ?? [])
      for (const family of ["chat", "embedding", "transcription"] as const) {
        const found = catalogue.find(id, family);
        if (!found) continue;
        priced++;
        const { price, unit_price, audio_price } = found;
        const entry = {
          family,
          ...(price && { price }),
          ...(unit_price && { unit_price }),
          audio_price: family === "embedding" ? null : audio_price,
        };
        expect([id, family, findPriceFault(entry)]).toEqual([id, family, null]);
        if (price) toPrice(price);
      }
  }
  expect(priced).toBeGreaterThan(1_000);
});
