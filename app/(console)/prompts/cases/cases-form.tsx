"use client";

import { Copy, Download, FileUp, Plus, Trash2, X } from "lucide-react";
import { type ClipboardEvent, type ReactNode, useId, useState } from "react";
import { type FieldErrors, type UseFormReturn, useFormState, useWatch } from "react-hook-form";
import { newLocalId } from "@/components/playground/panes/pane";
import { listVariables } from "@/components/playground/variables/prompt-text";
import { changePrompt } from "@/components/prompts/actions";
import { useSaveChanges } from "@/components/queries/actions/use-save-changes";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import type { Conflict } from "@/components/ui/form/find-conflicts";
import { Form } from "@/components/ui/form/form";
import { lateSchema, useLateEditForm } from "@/components/ui/form/late-schema";
import { ReadOnlyNotice } from "@/components/ui/form/read-only-notice";
import { SaveFooter } from "@/components/ui/form/save-footer";
import { IconButton } from "@/components/ui/icon-button";
import { downloadFile } from "@/components/ui/text/download-file";
import { MAX_CASES, MAX_CHECKS, MAX_VALUE_LENGTH } from "@/lib/contract/bounds";
import { findVariableValue } from "@/lib/contract/calls/prompt-variables";
import { writeCsvLine } from "@/lib/contract/csv";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import {
  CHECK,
  type CheckType,
  type CsvCase,
  checkTypeNames,
  checkTypes,
  describeCases,
  pasteCells,
  readCells,
  type TypedCase,
  type TypedCases,
  type TypedCheck,
  toPromptCases,
  toTypedCases,
} from "./case-values";

const CasesCsvDialog = loadOnClient(() => import("./cases-csv-dialog").then((file) => file.CasesCsvDialog));

const schema = lateSchema<TypedCases>(() => import("./case-schema").then((file) => file.casesSchema));
const labels = { cases: "Cases" };

type CasesFormProps = { prompt: Prompt; canWrite: boolean };

/** The table of cases: a value for each variable of the prompt, and the checks of the answer. */
export function CasesForm({ prompt, canWrite }: CasesFormProps) {
  const form = useLateEditForm(schema, toTypedCases(prompt));
  const { conflict, ...saving } = useSaveChanges(form, {
    saved: prompt,
    action: changePrompt,
    refetch: ["retrievePrompt"],
    names: ["cases"],
    toInput: (change, against) => ({
      projectId: prompt.project_id,
      promptId: prompt.id,
      change: { cases: toPromptCases({ cases: [], ...change }) },
      version: against.version,
    }),
    toValues: toTypedCases,
  });
  const names = listVariables(prompt.content);
  return (
    <Form
      form={form}
      name="prompt-cases"
      what={`the prompt “${prompt.name}”`}
      isEdit
      labels={labels}
      className="grid gap-4"
      onSubmit={saving.save}
    >
      {!canWrite && <ReadOnlyNotice what="these cases" permission="api.prompts.write" />}
      <p className="max-w-prose text-muted">
        A run fills each case into the prompt, sends it to every chosen model, and checks the answers.
        {names.length === 0 && " This prompt has no variables: each case sends the same text."}
      </p>
      <CaseTable form={form} names={names} canWrite={canWrite} />
      <SaveFooter
        saving={{
          ...saving,
          conflict: conflict && { ...conflict, conflicts: conflict.conflicts.map(describeConflict) },
        }}
        labels={labels}
        nothing="No cases"
        canWrite={canWrite}
      />
    </Form>
  );
}

function describeConflict({ name, was, current, edited }: Conflict): Conflict {
  return { name, was: describeCases(was), current: describeCases(current), edited: describeCases(edited) };
}

type CaseTableProps = { form: UseFormReturn<TypedCases>; names: readonly string[]; canWrite: boolean };

/** The rows, with buttons to add, duplicate and remove them. */
function CaseTable({ form, names, canWrite }: CaseTableProps) {
  const cases = useWatch({ control: form.control, name: "cases" });
  const { errors, isSubmitted } = useFormState({ control: form.control });
  const [isCsvOpen, setCsvOpen] = useState(false);
  const set = (next: TypedCase[]) =>
    form.setValue("cases", next, { shouldDirty: true, shouldValidate: isSubmitted });
  const add = () => {
    const variables = Object.fromEntries(names.map((name) => [name, ""]));
    set([...cases, { key: newLocalId(), variables, checks: [] }]);
  };
  const former = [...new Set(cases.flatMap(({ variables }) => Object.keys(variables)))].filter(
    (name) => !names.includes(name),
  );
  return (
    <>
      {cases.length === 0 ? (
        <p>No cases yet.</p>
      ) : (
        <CaseGrid names={names} former={former} canWrite={canWrite}>
          {cases.map((one, index) => (
            <CaseRow
              key={one.key}
              number={index + 1}
              value={one}
              names={[...names, ...former]}
              disabled={!canWrite}
              faults={errors.cases?.[index]}
              change={(next) => set(cases.with(index, next))}
              paste={(name, cells) => set(pasteCells(cases, names, { row: index, name }, cells))}
              remove={() => set(cases.toSpliced(index, 1))}
              duplicate={() => set(cases.toSpliced(index + 1, 0, { ...one, key: newLocalId() }))}
            />
          ))}
        </CaseGrid>
      )}
      <CaseButtons {...{ cases, names, canWrite, add }} addFromCsv={() => setCsvOpen(true)} />
      {isCsvOpen && (
        <CasesCsvDialog
          {...{ names, kept: cases.length }}
          add={(added) =>
            set([
              ...cases,
              ...added.map(({ variables, checks }) => ({
                key: newLocalId(),
                variables,
                checks: [...checks],
              })),
            ])
          }
          close={() => setCsvOpen(false)}
        />
      )}
    </>
  );
}

type CaseButtonsProps = {
  cases: readonly TypedCase[];
  names: readonly string[];
  canWrite: boolean;
  add: () => void;
  addFromCsv: () => void;
};

function CaseButtons({ cases, names, canWrite, add, addFromCsv }: CaseButtonsProps) {
  const isFull = cases.length >= MAX_CASES;
  return (
    <div className="flex flex-wrap gap-2">
      {canWrite && (
        <>
          <Button disabled={isFull} onClick={add}>
            <Plus aria-hidden />
            Add case
          </Button>
          <Button disabled={isFull} onClick={addFromCsv}>
            <FileUp aria-hidden />
            Add from CSV
          </Button>
        </>
      )}
      {cases.length > 0 && (
        <Button onClick={() => downloadFile("cases.csv", "text/csv", writeCasesCsv([...cases], names))}>
          <Download aria-hidden />
          Export CSV
        </Button>
      )}
    </div>
  );
}

type CaseGridProps = {
  names: readonly string[];
  /** Variables of cases that the newest version no longer has. */
  former: readonly string[];
  canWrite: boolean;
  children: ReactNode;
};

/** A grid as that of the limits: a row for each case, a column for each variable. It scrolls in its own frame. */
function CaseGrid({ names, former, canWrite, children }: CaseGridProps) {
  const head = "border-l px-3 py-2 font-medium whitespace-nowrap";
  return (
    <div className="overflow-x-auto rounded-md border bg-surface">
      <table className="w-full border-collapse text-left [&>tbody>tr]:border-t">
        <caption className="sr-only">Cases, with a column for each variable</caption>
        <thead className="bg-sidebar text-sm text-muted">
          <tr>
            <th scope="col" className="w-10 px-3 py-2 text-right font-medium">
              <span aria-hidden>#</span>
              <span className="sr-only">Case</span>
            </th>
            {[...names, ...former].map((name) => (
              <th key={name} scope="col" className={head}>
                <code className="font-mono">{name}</code>
                {former.includes(name) && " (not in the newest version)"}
              </th>
            ))}
            <th scope="col" className={head}>
              Checks of the answer
            </th>
            {canWrite && (
              <th scope="col" className={head}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

type CaseRowProps = {
  number: number;
  value: TypedCase;
  /** The variables of the newest version, and those of cases that it no longer has. */
  names: readonly string[];
  disabled: boolean;
  faults: FieldErrors<TypedCase> | undefined;
  change: (next: TypedCase) => void;
  /** Fills the cells of a spreadsheet in from the cell of a variable on. */
  paste: (name: string, cells: string[][]) => void;
  remove: () => void;
  duplicate: () => void;
};

/** A row of the grid: a cell for each variable, and the checks of the answer. */
function CaseRow(props: CaseRowProps) {
  const { number, value, names, disabled, faults, change, paste, remove, duplicate } = props;
  const { variables, checks } = value;
  return (
    <tr aria-label={`Case ${number}`} className="align-top">
      <th scope="row" className="px-3 py-2 text-right font-normal text-muted tabular-nums">
        {number}
      </th>
      {names.map((name) => (
        <td key={name} className="min-w-48 border-l p-0 focus-within:bg-accent-soft">
          <VariableCell
            name={name}
            value={findVariableValue(variables, name) ?? ""}
            disabled={disabled}
            change={(text) => change({ ...value, variables: { ...variables, [name]: text } })}
            paste={(cells) => paste(name, cells)}
          />
        </td>
      ))}
      <td className="min-w-80 border-l px-2 py-1.5">
        <div className="grid content-start gap-1.5">
          {checks.map((check, index) => (
            <CheckRow
              key={index}
              label={`Check ${index + 1} of case ${number}`}
              value={check}
              disabled={disabled}
              fault={faults?.checks?.[index]?.value?.message}
              change={(next) => change({ ...value, checks: checks.with(index, next) })}
              remove={() => change({ ...value, checks: checks.toSpliced(index, 1) })}
            />
          ))}
          {!disabled && checks.length < MAX_CHECKS && (
            <div>
              <Button
                size="small"
                variant="ghost"
                onClick={() => change({ ...value, checks: [...checks, { type: "contains", value: "" }] })}
              >
                <Plus aria-hidden />
                Add check
              </Button>
            </div>
          )}
          {disabled && checks.length === 0 && <p className="text-sm text-muted">No checks</p>}
        </div>
      </td>
      {!disabled && (
        <td className="border-l px-1 py-1 whitespace-nowrap">
          <IconButton label={`Duplicate case ${number}`} icon={<Copy />} onClick={duplicate} />
          <IconButton label={`Delete case ${number}`} icon={<Trash2 />} onClick={remove} />
        </td>
      )}
    </tr>
  );
}

type VariableCellProps = {
  name: string;
  value: string;
  disabled: boolean;
  change: (text: string) => void;
  paste: (cells: string[][]) => void;
};

function VariableCell({ name, value, disabled, change, paste }: VariableCellProps) {
  const takeCells = (event: ClipboardEvent) => {
    const cells = readCells(event.clipboardData.getData("text/plain"));
    if (!cells) return;
    event.preventDefault();
    paste(cells);
  };
  return (
    <textarea
      aria-label={name}
      value={value}
      rows={1}
      maxLength={MAX_VALUE_LENGTH}
      disabled={disabled}
      onPaste={takeCells}
      onChange={(event) => change(event.target.value)}
      className="field-sizing-content block max-h-48 min-h-9 w-full resize-none bg-transparent px-3 py-2 outline-none"
    />
  );
}

/** Writes cases as a CSV that `planCases` can read, with a column for each check. */
export function writeCasesCsv(cases: readonly CsvCase[], names: readonly string[]): string {
  const variables = [...new Set([...names, ...cases.flatMap((one) => Object.keys(one.variables))])];
  const checks = checkTypeNames.flatMap((type) => {
    const most = Math.max(0, ...cases.map((one) => filterChecks(one, type).length));
    return Array.from({ length: most }, (_, index) => ({ type, index }));
  });
  const lines = cases.map((one) => [
    ...variables.map((name) => findVariableValue(one.variables, name) ?? ""),
    ...checks.map(({ type, index }) => filterChecks(one, type)[index]?.value ?? ""),
  ]);
  return [[...variables, ...checks.map(({ type }) => CHECK + type)], ...lines].map(writeCsvLine).join("");
}

function filterChecks({ checks }: CsvCase, asked: CheckType): readonly TypedCheck[] {
  return checks.filter(({ type }) => type === asked);
}

type CheckRowProps = {
  /** The accessible name of the check. */
  label: string;
  value: TypedCheck;
  disabled: boolean;
  fault: string | undefined;
  change: (next: TypedCheck) => void;
  remove: () => void;
};

/** Edits one check: its type and its expected value. */
function CheckRow({ label, value, disabled, fault, change, remove }: CheckRowProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <div className="flex items-start gap-2">
        <select
          aria-label={`Kind of ${label.toLowerCase()}`}
          value={value.type}
          disabled={disabled}
          onChange={(event) => change({ ...value, type: event.target.value as TypedCheck["type"] })}
          className="field h-9 w-44 shrink-0 max-sm:w-36 pointer-coarse:h-11"
        >
          {Object.entries(checkTypes).map(([type, words]) => (
            <option key={type} value={type}>
              {words.label}
            </option>
          ))}
        </select>
        <textarea
          aria-label={label}
          aria-invalid={fault !== undefined || undefined}
          aria-describedby={fault === undefined ? undefined : id}
          value={value.value}
          rows={1}
          disabled={disabled}
          placeholder={checkTypes[value.type].hint}
          onChange={(event) => change({ ...value, value: event.target.value })}
          className="field min-h-9 min-w-0 flex-1 py-1.5"
        />
        {!disabled && <IconButton label={`Remove ${label.toLowerCase()}`} icon={<X />} onClick={remove} />}
      </div>
      {fault !== undefined && (
        <p id={id} className="text-sm text-danger">
          {checkTypes[value.type].fault}
        </p>
      )}
    </div>
  );
}
