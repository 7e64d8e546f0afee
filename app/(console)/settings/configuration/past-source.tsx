"use client";

import { Download } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type ReactNode, useId, useState } from "react";
import { exportConfiguration, planConfiguration } from "@/components/configuration/actions";
import { WholeFile, WholeSwitch } from "@/components/configuration/file-pane";
import { ChangeGroup, MadeChange } from "@/components/configuration/plan-view";
import type { ShownPlan } from "@/components/configuration/shown-plan";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { changeAddress } from "@/components/ui/filters/use-address-filter";
import { Notice } from "@/components/ui/notice";
import { ScriptForm } from "@/components/ui/script-form";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { downloadFile } from "@/components/ui/text/download-file";
import { formatDateTime, fromLocalInput, nameZone, toLocalInput } from "@/components/ui/time/describe-time";
import { countNouns } from "@/components/ui/values/group-digits";
import { DAY_S } from "@/lib/contract/durations";
import {
  type ConfigurationPart,
  configurationParts,
} from "@/lib/contract/operations/configuration/configuration";

/** The parts whose past the audit log tells. */
const choices: readonly { value: ConfigurationPart | ""; label: string }[] = [
  { value: "", label: "Everything but members" },
  { value: "projects", label: "Projects and their limits" },
  { value: "limit_plans", label: "Plans of rate limits" },
  { value: "models", label: "Models and prices" },
  { value: "roles", label: "Roles" },
  { value: "groups", label: "Groups" },
  { value: "members", label: "Members" },
  { value: "organization", label: "Limits of the organization" },
];

/** What is looked at, from the address. Times are Unix seconds. */
type Moments = { at: string; until: string; part: ConfigurationPart | undefined };

function useMoments(): Moments {
  const search = useSearchParams();
  const time = (name: string) => {
    const text = search.get(name) ?? "";
    return /^\d{1,11}$/.test(text) ? text : "";
  };
  const part = configurationParts.find((one) => one === search.get("parts"));
  return { at: time("at"), until: time("until"), part };
}

type PastSourceProps = { openedAt: number; onPlanned: (shown: ShownPlan) => void };

/** What was set at a moment, beside what is set now or was at another one, and the way back to it. */
export function PastSource({ openedAt, onPlanned }: PastSourceProps) {
  const moments = useMoments();
  const { at, until, part } = moments;
  const compared = useRead(
    "compareConfigurations",
    { from: at, until, parts: part },
    { enabled: at !== "", isCostly: true },
  );
  const fields = compared.error?.problem.fields ?? {};
  const isFieldError = ["from", "until", "parts"].some((name) => fields[name] !== undefined);
  return (
    <>
      <MomentForm
        key={`${at} ${until} ${part}`}
        moments={moments}
        openedAt={openedAt}
        fields={fields}
        isPending={compared.isFetching}
        again={() => void compared.refetch()}
      />
      {at !== "" && !isFieldError && (
        <ReadState
          read={compared}
          to="compare what was set"
          skeleton={<TableSkeleton rows={4} columns={2} />}
        >
          {({ changes }) => (
            <Compared moments={moments} count={changes.length} onPlanned={onPlanned}>
              {changes.map((change) => (
                <MadeChange key={change.id} change={change} />
              ))}
            </Compared>
          )}
        </ReadState>
      )}
    </>
  );
}

type MomentFormProps = {
  moments: Moments;
  openedAt: number;
  fields: Readonly<Record<string, string>>;
  isPending: boolean;
  again: () => void;
};

/** Asks for the two moments, and puts them into the address. */
function MomentForm({ moments, openedAt, fields, isPending, again }: MomentFormProps) {
  const [at, setAt] = useState(toLocalInput(Number(moments.at || openedAt - DAY_S)));
  const [isNow, setIsNow] = useState(moments.until === "");
  const [until, setUntil] = useState(toLocalInput(Number(moments.until || openedAt)));
  const [part, setPart] = useState<string>(moments.part ?? "");
  const [isIncomplete, setIsIncomplete] = useState(false);
  const withId = useId();
  const lacks = (value: string) => (isIncomplete && value === "" ? "needs a date and a time" : undefined);
  const show = () => {
    const isPartial = at === "" || (!isNow && until === "");
    setIsIncomplete(isPartial);
    if (isPartial) return;
    const chosen = { at: String(fromLocalInput(at)), until: isNow ? "" : String(fromLocalInput(until)) };
    const isSame =
      chosen.at === moments.at && chosen.until === moments.until && part === (moments.part ?? "");
    if (isSame) again();
    else changeAddress({ ...chosen, parts: part }, { isStep: true });
  };
  return (
    <ScriptForm
      className="grid items-start gap-x-3 gap-y-2 sm:flex sm:flex-wrap"
      onSubmit={(event) => {
        event.preventDefault();
        show();
      }}
    >
      <Moment label="As of" value={at} setValue={setAt} error={fields.from ?? lacks(at)} help={nameZone()} />
      <Field id={withId} label="Compared with">
        <select
          id={withId}
          className="field h-9 pointer-coarse:h-11"
          value={isNow ? "now" : "then"}
          onChange={(event) => setIsNow(event.target.value === "now")}
        >
          <option value="now">Now</option>
          <option value="then">Another moment</option>
        </select>
      </Field>
      {!isNow && (
        <Moment label="Until" value={until} setValue={setUntil} error={fields.until ?? lacks(until)} />
      )}
      <PartChoice part={part} setPart={setPart} error={fields.parts} />
      <Button
        type="submit"
        variant={moments.at === "" ? "primary" : "secondary"}
        pending={isPending}
        className="sm:mt-[1.9rem]"
      >
        Show
      </Button>
    </ScriptForm>
  );
}

type PartChoiceProps = { part: string; setPart: (part: string) => void; error: string | undefined };

function PartChoice({ part, setPart, error }: PartChoiceProps) {
  const id = useId();
  return (
    <Field id={id} label="What" error={error}>
      <select
        {...fieldAttributes(id, error)}
        className="field h-9 pointer-coarse:h-11"
        value={part}
        onChange={(event) => setPart(event.target.value)}
      >
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </Field>
  );
}

type MomentProps = {
  label: string;
  value: string;
  setValue: (value: string) => void;
  error: string | undefined;
  help?: string;
};

function Moment({ label, value, setValue, error, help }: MomentProps) {
  const id = useId();
  return (
    <Field id={id} label={label} error={error} help={help}>
      <input
        {...fieldAttributes(id, error)}
        type="datetime-local"
        step="1"
        className="field h-9 pointer-coarse:h-11"
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </Field>
  );
}

type ComparedProps = {
  moments: Moments;
  count: number;
  onPlanned: PastSourceProps["onPlanned"];
  children: readonly ReactNode[];
};

/** What has changed since, or all of what was set, and the plan that goes back to it. */
function Compared({ moments: { at, until, part }, count, onPlanned, children }: ComparedProps) {
  const [isWhole, setIsWhole] = useState(false);
  const name = formatDateTime(Number(at));
  const request = { at: Number(at), ...(part && { parts: [part] }) };
  const planning = useAction(planConfiguration, {
    onSuccess: (plan) => onPlanned({ plan, name, text: null, request }),
  });
  const exporting = useAction(exportConfiguration, {
    onSuccess: ({ file }) => downloadFile(`gatehouse-${toLocalInput(Number(at))}.yaml`, "text/yaml", file),
  });
  const problem = planning.error?.problem ?? exporting.error?.problem;
  const end = until === "" ? "now" : formatDateTime(Number(until));
  return (
    <Section
      title={count === 0 ? "Nothing changed" : countNouns(count, "change")}
      description={`From ${name} to ${end}. Restoring is planned first: you see each change before it is made.`}
      actions={
        <>
          <WholeSwitch isWhole={isWhole} setIsWhole={setIsWhole} />
          <Button
            pending={exporting.isPending}
            onClick={() => exporting.mutate({ at, ...(part && { parts: [part] }) })}
          >
            <Download aria-hidden />
            YAML as of then
          </Button>
          <Button variant="primary" pending={planning.isPending} onClick={() => planning.mutate(request)}>
            Restore
          </Button>
        </>
      }
    >
      {problem && (
        <Notice tone="bad" role="alert" title="Nothing was planned">
          {problem.message}
        </Notice>
      )}
      {isWhole ? (
        <Whole at={at} part={part} />
      ) : (
        count > 0 && (
          <ChangeGroup title={until === "" ? "Changed since then" : "Changed between them"} rows={children} />
        )
      )}
    </Section>
  );
}

/** All that was set at a moment. */
function Whole({ at, part }: Pick<Moments, "at" | "part">) {
  const whole = useRead("retrieveConfiguration", { at, parts: part }, { isCostly: true });
  return (
    <ReadState read={whole} to="see what was set" skeleton={<TableSkeleton rows={6} columns={1} />}>
      {({ file }) => (
        <Card flush>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is reached by keyboard. */}
          <section
            aria-label="Whole file"
            tabIndex={0}
            className="max-h-[60dvh] overflow-auto font-mono text-xs"
          >
            <WholeFile text={file} />
          </section>
        </Card>
      )}
    </ReadState>
  );
}
