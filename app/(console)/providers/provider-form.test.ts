import { expect, test } from "bun:test";
import { findPresetOfKey } from "@/lib/contract/calls/provider-presets";
import { choosePreset, emptyProvider, toProviderDraft } from "./provider-form";
import { providerForm } from "./provider-form-schema";

test.each([
  ["sk-ant-api03-x", "anthropic"],
  ["sk-proj-x", "openai"],
  ["AIzaSyX", "gemini"],
  ["sk-or-v1-x", "openrouter"],
  ["gsk_x", "groq"],
  ["xai-x", "xai"],
  ["sk-x", null],
  ["", null],
])("a key that begins as %p is one of %p", (key, preset) => {
  expect(findPresetOfKey(key)).toBe(preset as never);
});

test("a choice fills in what is known of the service", () => {
  const anthropic = choosePreset({ ...emptyProvider, api_key: "sk-ant-x" }, "anthropic");
  expect(providerForm.safeParse(anthropic).success).toBe(true);
  expect(toProviderDraft(anthropic)).toMatchObject({
    preset: "anthropic",
    id: "anthropic",
    base_url: "https://api.anthropic.com/v1",
    api_key: "sk-ant-x",
    protocols: ["messages"],
    auth: "x-api-key",
    output_limit_field: null,
    refused_fields: [],
  });
  const several = { ...anthropic, more_keys: [{ key: "sk-ant-y" }, { key: "" }] };
  expect(toProviderDraft(several)).toMatchObject({ api_keys: ["sk-ant-x", "sk-ant-y"] });
  expect(toProviderDraft(several)).not.toHaveProperty("api_key");
  expect(choosePreset(anthropic, "mistral")).toMatchObject({
    id: "mistral",
    protocols: ["chat"],
    auth: "bearer",
    refused_fields: ["stream_options", "user"],
  });
});

test("another choice keeps what was typed by hand, and clears what the first one had filled in", () => {
  const typed = { ...choosePreset(emptyProvider, "openai"), id: "ours", protocols: ["chat" as const] };
  expect(choosePreset(typed, "groq")).toMatchObject({
    id: "ours",
    protocols: ["chat"],
    base_url: "https://api.groq.com/openai/v1",
    output_limit_field: "max_completion_tokens",
  });
  expect(choosePreset(typed, "other")).toMatchObject({ id: "ours", base_url: "", auth: "bearer" });
});

test("an address of messages that was left empty is the preset's, and is sent where it was typed", () => {
  const azure = choosePreset(emptyProvider, "azure");
  expect(toProviderDraft(azure)).not.toHaveProperty("messages_base_url");
  const typed = { ...azure, messages_base_url: " https://ours.example/anthropic/v1 " };
  expect(toProviderDraft(typed).messages_base_url).toBe("https://ours.example/anthropic/v1");
});

test("a provider needs a protocol in which calls are sent", () => {
  const responses = { ...choosePreset(emptyProvider, "openai"), protocols: ["responses" as const] };
  expect(providerForm.safeParse(responses).error?.issues[0]?.path).toEqual(["protocols"]);
});
