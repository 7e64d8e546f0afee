"use client";

import { CircleX, Maximize2 } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { SettingName, Settings } from "@/components/playground/settings";
import { ApiName, useApiName } from "@/components/ui/api-name";
import { classNames } from "@/components/ui/class-names";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useEarlyEntry } from "@/components/ui/fields/use-early-entry";
import { IconButton } from "@/components/ui/icon-button";

const RoomyEditor = loadOnClient(() => import("./roomy-editor").then((file) => file.RoomyEditor));

export type SettingProps = {
  name: SettingName;
  label: string;
  settings: Settings;
  fault: string | undefined;
  change: (name: SettingName, value: string) => void;
};

/** A short value next to its name. Unset values are muted. */
export function SettingRow(props: SettingProps & { placeholder?: string; apiName?: string }) {
  const { name, label, settings, fault, change, placeholder = "Model default" } = props;
  const id = useId();
  useEarlyEntry(id, (value) => change(name, value));
  return (
    <Row {...{ id, label, fault }} apiName={props.apiName ?? name}>
      <input
        id={id}
        value={settings[name]}
        placeholder={placeholder}
        inputMode="decimal"
        autoComplete="off"
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
        onChange={(event) => change(name, event.target.value)}
        className="field h-8 text-right text-sm pointer-coarse:h-11"
      />
    </Row>
  );
}

type Choice = { value: string; label: string };

export function SettingChoice(props: SettingProps & { choices: readonly Choice[]; apiName: string }) {
  const { name, label, settings, fault, change, choices, apiName } = props;
  const id = useId();
  useEarlyEntry(id, (value) => change(name, value));
  return (
    <Row {...{ id, label, fault, apiName }}>
      <select
        id={id}
        value={settings[name]}
        onChange={(event) => change(name, event.target.value)}
        className="field h-8 text-sm pointer-coarse:h-11"
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Row>
  );
}

type SettingAreaProps = SettingProps & {
  placeholder?: string;
  apiName?: string;
  help?: string;
  mono?: boolean;
  rows?: number;
  /** Whether it can be edited with the room of the whole window. */
  hasRoom?: boolean;
};

/** A long text below its name. */
export function SettingArea(props: SettingAreaProps) {
  const { name, label, settings, fault, change, placeholder, apiName, help, mono = false, rows = 3 } = props;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  useEarlyEntry(id, (value) => change(name, value));
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <ApiName name={apiName} />
        {props.hasRoom && (
          <span className="ml-auto self-center">
            <IconButton label="Edit in a large window" icon={<Maximize2 />} onClick={() => setIsOpen(true)} />
          </span>
        )}
      </div>
      {isOpen && (
        <RoomyEditor
          {...{ label, fault }}
          value={settings[name]}
          change={(value) => change(name, value)}
          close={() => setIsOpen(false)}
        />
      )}
      <textarea
        id={id}
        value={settings[name]}
        placeholder={placeholder}
        rows={rows}
        spellCheck={!mono}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-fault`}
        onChange={(event) => change(name, event.target.value)}
        className={classNames(
          "field field-sizing-content max-h-72 min-h-9 py-1.5 text-sm",
          mono && "font-mono",
        )}
      />
      <div id={`${id}-fault`} className="text-sm text-muted empty:hidden">
        {fault ? <Fault>{fault}</Fault> : help}
      </div>
    </div>
  );
}

type RowProps = {
  id: string;
  label: string;
  apiName: string;
  fault: string | undefined;
  children: ReactNode;
};

function Row({ id, label, apiName, fault, children }: RowProps) {
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,1fr)_9rem] items-center gap-2">
        <label htmlFor={id} title={useApiName(apiName)} className="truncate text-sm text-muted">
          {label}
        </label>
        {children}
      </div>
      {fault && (
        <div id={`${id}-fault`} className="mt-1 text-sm">
          <Fault>{fault}</Fault>
        </div>
      )}
    </div>
  );
}

function Fault({ children }: { children: string }) {
  return (
    <span className="flex items-start gap-1.5 text-danger">
      <CircleX aria-hidden className="mt-0.5 size-4 shrink-0" />
      {children}
    </span>
  );
}
