"use client";

import { KeyRound, Search } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { KeyListSkeleton, keyReads } from "@/components/keys/key-reads";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { CreateButton } from "@/components/ui/create-button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { useReopen } from "@/components/ui/drafts/draft-scope";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { PageHead } from "@/components/ui/page";
import { EmptyState } from "@/components/ui/states/empty-state";
import { ProjectName } from "@/components/ui/text/project-name";
import type { ProjectApiKey } from "@/lib/contract/operations/keys/project-api-keys";
import { KeyList } from "./key-list";

type KeyScreenProps = Omit<ComponentProps<typeof ProjectKeys>, "renderHead"> & { canFind: boolean };

/** The screen of a project's keys. */
export function KeyScreen({ canFind, ...props }: KeyScreenProps) {
  return (
    <ProjectKeys
      {...props}
      renderHead={(createButton) => (
        <PageHead
          title="Keys"
          sentence={
            <>
              Programs call models with a key of <ProjectName project={props.project} />, within its limits.
            </>
          }
          action={
            (canFind || createButton) && (
              <>
                {canFind && <FindKey />}
                {createButton}
              </>
            )
          }
        />
      )}
    />
  );
}

const FindKeyDialog = loadOnClient(() => import("./find-key-dialog").then((file) => file.FindKeyDialog));

/** Finds a leaked key by its text. */
function FindKey() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <Search aria-hidden />
        Find a key
      </Button>
      {isOpen && <FindKeyDialog close={() => setIsOpen(false)} />}
    </>
  );
}

const RenameKey = loadOnClient(() => import("./key-dialogs").then((file) => file.RenameKey));

/** Returns the name of a key's rename form. */
const formatFormName = (keyId: string) => `rename-${keyId}`;

/** Tracks which keys were renamed on this page, and which one is being renamed. */
function useRenames(keys: readonly ProjectApiKey[], { canWrite }: { canWrite: boolean }) {
  const [begun, setBegun] = useState<readonly string[]>([]);
  const [openId, setOpenId] = useState<string | null>(null);
  function begin(keyId: string) {
    setBegun((ids) => (ids.includes(keyId) ? ids : [...ids, keyId]));
    setOpenId(keyId);
  }
  useReopen(
    keys.map(({ id }) => formatFormName(id)),
    (name) => canWrite && begin(name.slice(formatFormName("").length)),
  );
  return {
    begin: ({ id }: ProjectApiKey) => begin(id),
    keys: keys.filter(({ id }) => begun.includes(id)),
    openId,
    close: () => setOpenId(null),
  };
}

type RenamedKeysProps = { projectId: string } & Pick<
  ReturnType<typeof useRenames>,
  "keys" | "openId" | "close"
>;

/** The rename dialogs. Closed ones stay mounted for the undo. */
function RenamedKeys({ projectId, keys, openId, close }: RenamedKeysProps) {
  return keys.map((key) => (
    <RenameKey
      key={key.id}
      projectId={projectId}
      target={key}
      formName={formatFormName(key.id)}
      isOpen={key.id === openId}
      close={close}
    />
  ));
}

const CreateKeyDialog = loadOnClient(() => import("./key-dialogs").then((file) => file.CreateKeyDialog));

type ProjectKeysProps = {
  project: { id: string; name: string };
  baseUrl: string;
  canWrite: boolean;
  /** Start of the usage shown for each key, in Unix seconds; null if the person can't see usage. */
  usageSince: number | null;
  /** Renders the head above the list with the create button; null while the empty list itself shows that button. */
  renderHead: (createButton: ReactNode) => ReactNode;
};

/** A project's keys. The dialogs are rendered above the list, which changes while one is open. */
function ProjectKeys({ project, baseUrl, canWrite, usageSince, renderHead }: ProjectKeysProps) {
  const read = keyReads(project.id).keys;
  const keys = useRead(...read);
  const further = useFurtherRows(read, keys.data);
  const renames = useRenames(keys.data?.data ?? [], { canWrite });
  const dialog = useFormDialog("new-key", canWrite);
  const createButton = canWrite && <CreateButton noun="key" onClick={dialog.open} />;
  return (
    <>
      {renderHead(isEmpty(keys.data) ? null : createButton)}
      <ReadState
        read={keys}
        to="list the keys"
        skeleton={<KeyListSkeleton />}
        empty={
          <EmptyState
            icon={KeyRound}
            title="No keys yet"
            action={createButton}
            example="For example “production” or “nightly reports”: one for each program, so that one can be deleted alone."
          >
            A program sends its key with every call. The call then counts for this project.
          </EmptyState>
        }
      >
        {({ data }) => (
          <KeyList
            keys={data}
            further={further}
            projectId={project.id}
            baseUrl={baseUrl}
            usageSince={usageSince}
            rename={canWrite ? renames.begin : undefined}
          />
        )}
      </ReadState>
      {dialog.isOpen && <CreateKeyDialog projectId={project.id} baseUrl={baseUrl} close={dialog.close} />}
      <RenamedKeys projectId={project.id} {...renames} />
    </>
  );
}
