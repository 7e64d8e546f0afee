"use client";

import { Download } from "lucide-react";
import { useId, useState } from "react";
import { planOpenaiImport } from "@/app/(console)/settings/actions";
import { exportConfiguration } from "@/components/configuration/actions";
import { AppliedNotice, countApplied, UndoButton } from "@/components/configuration/applied-notice";
import { type ConfigurationText, FileSource, type FileWords } from "@/components/configuration/file-source";
import { PlanScreen } from "@/components/configuration/plan-screen";
import { ObjectName } from "@/components/configuration/plan-view";
import type { ShownPlan } from "@/components/configuration/shown-plan";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, fieldAttributes } from "@/components/ui/fields/field";
import { SecretInput } from "@/components/ui/fields/secret-input";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { TabLinks } from "@/components/ui/links/tab-links";
import { Notice } from "@/components/ui/notice";
import { Page, PageHead } from "@/components/ui/page";
import { ScriptForm } from "@/components/ui/script-form";
import { Section } from "@/components/ui/section";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { downloadFile } from "@/components/ui/text/download-file";
import { DateTime } from "@/components/ui/time/date-time";
import { paths } from "@/lib/console/paths";
import type {
  AppliedConfiguration,
  ConfigurationApplication,
} from "@/lib/contract/operations/configuration/configuration";
import { PastSource } from "./past-source";

const fileWords: FileWords = {
  label: "Configuration file",
  help: "Drop a file here, choose one, or paste it: YAML or JSON, complete or in part, or an exported CSV of limits, models or members. What it leaves out stays as it is.",
  placeholder:
    "projects:\n  - name: Support bot\n    rate_limits:\n      gpt-5-mini: { max_requests_per_1_minute: 900 }",
  accept: ".yaml,.yml,.json,.csv,.tsv,text/yaml,application/json,text/csv",
  beginsWithNow: true,
};

type ConfigurationScreenProps = {
  /** Whether the person may see the audit log, and so what was set before. */
  seesLog: boolean;
  consoleOrigin: string | null;
  /** Unix seconds. */
  openedAt: number;
};

/** What is set: as a file, brought from an OpenAI organization, or as it was; planned, applied and undone. */
export function ConfigurationScreen({ seesLog, consoleOrigin, openedAt }: ConfigurationScreenProps) {
  const [source] = useUrlParameter("source");
  const [file, setFile] = useState<ConfigurationText>({ name: "gatehouse.yaml", text: "" });
  const [address, setAddress] = useState(OPENAI_URL);
  const [shown, setShown] = useState<ShownPlan | null>(null);
  const [applied, setApplied] = useState<AppliedConfiguration | null>(null);
  const show = (plan: ShownPlan) => {
    setApplied(null);
    setShown(plan);
  };
  if (shown)
    return (
      <PlanScreen
        shown={shown}
        setShown={setShown}
        leave={() => setShown(null)}
        onApplied={(done) => {
          setApplied(done);
          setShown(null);
        }}
      />
    );
  const tabs = [
    { id: "", label: "File", href: paths.configuration() },
    { id: "openai", label: "OpenAI organization", href: paths.configuration({ source: "openai" }) },
    ...(seesLog
      ? [{ id: "past", label: "Past settings", href: paths.configuration({ source: "past" }) }]
      : []),
  ];
  const current = tabs.some(({ id }) => id === source) ? source : "";
  return (
    <Page>
      <PageHead
        title="Configuration"
        sentence="All settings as one file. Preview every change, then apply all of them or none."
        action={<ExportButtons />}
      />
      <TabLinks label="Source" tabs={tabs} current={current} />
      <div className="grid gap-8">
        {applied && <AppliedNotice applied={applied} consoleOrigin={consoleOrigin} />}
        {current === "openai" && <OpenaiSource address={address} setAddress={setAddress} onPlanned={show} />}
        {current === "past" && <PastSource openedAt={openedAt} onPlanned={show} />}
        {current === "" && <FileSource words={fileWords} file={file} setFile={setFile} onPlanned={show} />}
        {seesLog && current !== "past" && <AppliedList />}
      </div>
    </Page>
  );
}

/** Downloads what is set. */
function ExportButtons() {
  const exporting = useAction(exportConfiguration);
  const save = (form: "yaml" | "json") =>
    exporting.mutate(
      {},
      {
        onSuccess: ({ file, content }) =>
          form === "yaml"
            ? downloadFile("gatehouse.yaml", "text/yaml", file)
            : downloadFile("gatehouse.json", "application/json", JSON.stringify(content, null, 2)),
      },
    );
  return (
    <>
      {exporting.error && <p className="text-sm text-danger">{exporting.error.problem.message}</p>}
      <Button pending={exporting.isPending} onClick={() => save("yaml")}>
        <Download aria-hidden />
        YAML
      </Button>
      <Button pending={exporting.isPending} onClick={() => save("json")}>
        <Download aria-hidden />
        JSON
      </Button>
    </>
  );
}

/** The plans that were applied last, each with its undo. */
function AppliedList() {
  const applied = useRead("listConfigurationApplications", { limit: "20" });
  return (
    <Section title="Applied" description="The last 20. Each can be undone for 30 days.">
      <ReadState read={applied} to="see what was applied" skeleton={<TableSkeleton rows={3} columns={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-sm text-muted">No file has been applied yet.</p>
          ) : (
            <Card flush>
              <ul className="divide-y">
                {data.map((one) => (
                  <AppliedRow key={one.id} applied={one} />
                ))}
              </ul>
            </Card>
          )
        }
      </ReadState>
    </Section>
  );
}

/** More changed objects than these are counted. */
const NAMED = 3;

function AppliedRow({ applied }: { applied: ConfigurationApplication }) {
  const { id, applied_at: at, applied_by: by, changes, undo_until: until } = applied;
  const others = changes.length - NAMED;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3.5 py-2 text-sm">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{countApplied(changes.length)}</p>
        <p className="text-muted wrap-anywhere">
          {changes.slice(0, NAMED).map(({ id: changed, path }, index) => (
            <span key={changed}>
              {index > 0 && ", "}
              <ObjectName path={path} />
            </span>
          ))}
          {others > 0 && ` and ${others} more`}
        </p>
      </div>
      <p className="text-muted">
        {by}, <DateTime at={at} />
      </p>
      {until === null ? (
        <span className="text-muted">Undone</span>
      ) : (
        changes.length > 0 && <UndoButton id={id} />
      )}
    </li>
  );
}

const OPENAI_URL = "https://api.openai.com/v1";

type OpenaiSourceProps = {
  address: string;
  setAddress: (address: string) => void;
  onPlanned: (shown: ShownPlan) => void;
};

/** Plans what an OpenAI organization has. The key is forgotten once that is read. */
function OpenaiSource({ address, setAddress, onPlanned }: OpenaiSourceProps) {
  const [key, setKey] = useState("");
  const [keyId, addressId] = [useId(), useId()];
  const reading = useAction(planOpenaiImport, {
    onSuccess: (plan, { base_url: read = OPENAI_URL }) => {
      setKey("");
      onPlanned({ plan, name: new URL(read).host, text: null, request: null });
    },
  });
  const problem = reading.error?.problem;
  const { admin_key: keyError, base_url: addressError } = problem?.fields ?? {};
  return (
    <ScriptForm
      className="grid max-w-[560px] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        reading.mutate({ admin_key: key.trim(), base_url: address.trim() });
      }}
    >
      {problem && !keyError && !addressError && (
        <Notice tone="bad" role="alert" title="Nothing was planned">
          {problem.message}
        </Notice>
      )}
      <Field
        id={keyId}
        label="Admin key"
        apiName="admin_key"
        error={keyError}
        help="Created by an owner of that organization under Admin keys. It is used once, to read, and never stored."
      >
        <SecretInput
          {...fieldAttributes(keyId, keyError)}
          what="admin key"
          autoComplete="off"
          placeholder="sk-admin-…"
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
      </Field>
      <Field
        id={addressId}
        label="Address"
        apiName="base_url"
        error={addressError}
        help="OpenAI’s, or another server with the same Admin API."
      >
        <input
          {...fieldAttributes(addressId, addressError)}
          className="field h-9 font-mono text-sm pointer-coarse:h-11"
          type="url"
          autoComplete="off"
          spellCheck={false}
          value={address}
          onChange={(event) => setAddress(event.target.value)}
        />
      </Field>
      <ReadBar isReading={reading.isPending} isFilled={key.trim() !== "" && address.trim() !== ""} />
    </ScriptForm>
  );
}

function ReadBar({ isReading, isFilled }: { isReading: boolean; isFilled: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button type="submit" variant="primary" pending={isReading} disabled={!isFilled}>
        Read the organization
      </Button>
      <p role="status" className="text-sm text-muted">
        {isReading
          ? "Its projects, limits, roles, groups and members are read. With many projects this takes some minutes."
          : "You review every change before it is made."}
      </p>
    </div>
  );
}
