"use client";

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import {
  countRareSet,
  type Faults,
  lackingSettings,
  rareNames,
  type SettingName,
  type Settings,
} from "@/components/playground/settings";
import { SettingArea, SettingChoice, type SettingProps, SettingRow } from "./setting-fields";

type SettingsPanelProps = {
  /** The panes that they are for; empty if there is only one. */
  scope: string;
  /** The fields of the variables in the texts. */
  variables: ReactNode;
  settings: Settings;
  faults: Faults;
  change: (name: SettingName, value: string) => void;
};

const endpoints = [
  { value: "chat_completions", label: "Chat completions" },
  { value: "responses", label: "Responses" },
  { value: "messages", label: "Messages" },
];
const formats = [
  { value: "text", label: "Text" },
  { value: "json", label: "JSON" },
  { value: "schema", label: "JSON schema" },
];
const efforts = ["", "none", "minimal", "low", "medium", "high"].map((value) => ({
  value,
  label: value === "" ? "Model default" : value,
}));
const summaries = [
  { value: "", label: "Model default" },
  { value: "auto", label: "auto" },
  { value: "concise", label: "concise" },
  { value: "detailed", label: "detailed" },
];

/** What the settings are called in each API, with the choices that it has. */
const apis = {
  chat_completions: {
    maxTokens: { apiName: "max_tokens", placeholder: "Model default" },
    format: { apiName: "response_format", choices: formats },
    schema: "response_format.json_schema",
    effort: { apiName: "reasoning_effort", choices: efforts },
    further: '{"logprobs": true}',
  },
  responses: {
    maxTokens: { apiName: "max_output_tokens", placeholder: "Model default" },
    format: { apiName: "text.format", choices: formats },
    schema: "text.format.schema",
    effort: { apiName: "reasoning.effort", choices: efforts },
    further: '{"parallel_tool_calls": false}',
  },
  // It has neither JSON without a schema nor the two lowest efforts.
  messages: {
    maxTokens: { apiName: "max_tokens", placeholder: "1024" },
    format: { apiName: "output_config.format", choices: formats.filter(({ value }) => value !== "json") },
    schema: "output_config.format.schema",
    effort: {
      apiName: "output_config.effort",
      choices: efforts.filter(({ value }) => value !== "none" && value !== "minimal"),
    },
    further: '{"top_k": 5}',
  },
} as const;

/** All parameters of a call except its messages. */
export function SettingsPanel({ settings, faults, change, scope, variables }: SettingsPanelProps) {
  const field = (name: SettingName, label: string): SettingProps => ({
    name,
    label,
    settings,
    fault: faults[name],
    change,
  });
  const api = apis[settings.endpoint];
  const isRareFaulty = rareNames.some((name) => faults[name]);
  return (
    <div className="grid gap-4">
      <SettingArea {...field("instruction", "System")} rows={3} placeholder="Sent before the conversation" />
      {variables}
      <div className="grid gap-1.5">
        {scope !== "" && (
          <p className="text-sm font-medium">
            Settings <span className="font-normal text-muted">· {scope}</span>
          </p>
        )}
        <SettingRow {...field("temperature", "Temperature")} />
        <SettingRow {...field("max_tokens", "Max output tokens")} {...api.maxTokens} />
        <SettingChoice {...field("format", "Format")} {...api.format} />
        <SettingChoice {...field("endpoint", "API")} choices={endpoints} apiName="endpoint" />
      </div>
      {settings.format === "schema" && (
        <SettingArea
          {...field("schema", "JSON schema")}
          apiName={api.schema}
          mono
          hasRoom
          rows={5}
          placeholder={'{"type": "object", "properties": {}}'}
        />
      )}
      <details open={isRareFaulty || undefined} className="group">
        <summary className="flex min-h-6 w-fit cursor-pointer list-none items-center gap-1 rounded-sm text-sm font-medium pointer-coarse:min-h-11">
          <ChevronRight aria-hidden className="size-3.5 text-muted group-open:rotate-90" />
          More settings{" "}
          <span className="font-normal text-muted">
            {countRareSet(settings) > 0 && `· ${countRareSet(settings)} set`}
          </span>
        </summary>
        <RareSettings field={field} endpoint={settings.endpoint} />
      </details>
    </div>
  );
}

type RareSettingsProps = {
  field: (name: SettingName, label: string) => SettingProps;
  endpoint: Settings["endpoint"];
};

function RareSettings({ field, endpoint }: RareSettingsProps) {
  const api = apis[endpoint];
  const has = (name: SettingName) => !lackingSettings[endpoint].includes(name);
  return (
    <div className="mt-3 grid gap-4">
      <div className="grid gap-1.5">
        <SettingRow {...field("top_p", "Top p")} />
        {has("seed") && <SettingRow {...field("seed", "Seed")} />}
        {has("presence_penalty") && <SettingRow {...field("presence_penalty", "Presence penalty")} />}
        {has("frequency_penalty") && <SettingRow {...field("frequency_penalty", "Frequency penalty")} />}
        <SettingChoice {...field("reasoning_effort", "Reasoning effort")} {...api.effort} />
        {has("reasoning_summary") && (
          <SettingChoice
            {...field("reasoning_summary", "Show reasoning")}
            choices={summaries}
            apiName="reasoning.summary"
          />
        )}
      </div>
      {has("stop") && (
        <SettingArea
          {...field("stop", "Stop sequences")}
          apiName={endpoint === "messages" ? "stop_sequences" : "stop"}
          rows={1}
          mono
          help="One per line, at most four."
        />
      )}
      <SettingArea
        {...field("tools", "Tools")}
        apiName="tools"
        mono
        hasRoom
        rows={4}
        placeholder={'[{"type": "function", "function": {"name": "weather", "parameters": {}}}]'}
        help="JSON, in the format of chat completions."
      />
      <SettingArea
        {...field("replies", "Fixed tool replies")}
        mono
        hasRoom
        rows={2}
        placeholder={'{"weather": "12 °C, rain"}'}
        help="Results by tool name, sent automatically. You enter the results of all other tools."
      />
      <SettingArea
        {...field("further", "Further parameters")}
        mono
        hasRoom
        rows={2}
        placeholder={api.further}
        help="JSON. Added to the request unchanged."
      />
    </div>
  );
}
