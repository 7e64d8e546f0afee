"use client";

import { Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import {
  removeConversation,
  renameConversation,
} from "@/components/playground/conversations/conversation-actions";
import { ConfirmedAction } from "@/components/queries/actions/confirmed-action";
import { showProblem } from "@/components/queries/actions/show-problem";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ProblemState } from "@/components/queries/states/problem-state";
import { useLinkedProject } from "@/components/shell/project/shell-projects";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { TextField } from "@/components/ui/fields/text-field";
import { FormDialog } from "@/components/ui/form/form-dialog";
import { useNewForm } from "@/components/ui/form/use-schema-form";
import { IconButton } from "@/components/ui/icon-button";
import { Notice } from "@/components/ui/notice";
import { containsWords } from "@/components/ui/search/match-words";
import { SearchBox } from "@/components/ui/search-box";
import { Skeleton } from "@/components/ui/states/skeleton";
import { CodeBlock } from "@/components/ui/text/code-block";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { type ActionReply, createProblem } from "@/lib/console/gateway/problem";
import { paths } from "@/lib/console/paths";
import type { ConversationHead } from "@/lib/contract/operations/playground/conversations";
import { displayName } from "@/lib/contract/schema";
import type { AutosavedWorkbench } from "./use-autosave";

/** The most conversations that the gateway saves of a person. They are one page. */
const MAX_SAVED = 100;
/** More conversations than this are searched. */
const UNSEARCHED = 8;

type ConversationsDialogProps = { saved: AutosavedWorkbench; close: () => void };

/** The person's own conversations, most recently changed first. */
export function ConversationsDialog({ saved, close }: ConversationsDialogProps) {
  const list = useRead("listOwnConversations", { limit: String(MAX_SAVED) });
  const [renamed, setRenamed] = useState<ConversationHead | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [search, setSearch] = useState("");
  const heads = list.data?.data ?? [];
  const found = findByTitle(heads, search);
  async function open({ id }: ConversationHead) {
    const problem = await saved.conversations.open(id);
    if (problem === null) close();
    setRefusal(problem);
  }
  if (renamed) return <RenameDialog head={renamed} saved={saved} close={() => setRenamed(null)} />;
  return (
    <Dialog
      open
      onClose={close}
      title="Conversations"
      description={`Only you can read them until you share one. The last ${MAX_SAVED} are saved, each for 180 days after its last change.`}
    >
      {refusal && (
        <div className="mb-3">
          <Notice tone="bad" role="alert">
            {refusal}
          </Notice>
        </div>
      )}
      {list.error && !list.data && (
        <ProblemState
          problem={list.error.problem}
          to="list the conversations"
          retry={() => void list.refetch()}
        />
      )}
      {list.isPending && <Skeleton className="h-24" />}
      {list.data?.data.length === 0 && (
        <p className="text-muted">None yet. A conversation is saved as soon as something is written in it.</p>
      )}
      {heads.length > UNSEARCHED && (
        <ConversationSearch search={search} setSearch={setSearch}>
          {describeCount(heads.length, found.length, search)}
        </ConversationSearch>
      )}
      <ul>
        {found.map((head) => (
          <li key={head.id} className="border-b py-1.5 last:border-b-0">
            <ConversationRow
              {...{ head, saved }}
              open={() => confirmLeave(() => void open(head))}
              rename={() => setRenamed(head)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

type ConversationSearchProps = { search: string; setSearch: (search: string) => void; children: string };

function ConversationSearch({ search, setSearch, children }: ConversationSearchProps) {
  return (
    <div className="mb-1 grid gap-1.5">
      <SearchBox label="Search titles" text={search} setText={setSearch} />
      <p role="status" className="text-sm text-muted">
        {children}
      </p>
    </div>
  );
}

function findByTitle(heads: readonly ConversationHead[], search: string): readonly ConversationHead[] {
  return heads.filter(({ title }) => containsWords(title, search));
}

function describeCount(saved: number, found: number, search: string): string {
  if (search.trim() !== "") return `${found} of ${saved} conversations match`;
  return saved < MAX_SAVED
    ? `${saved} conversations`
    : `${saved} conversations. The next new one replaces the least recently changed.`;
}

type ConversationRowProps = {
  head: ConversationHead;
  saved: AutosavedWorkbench;
  open: () => void;
  rename: () => void;
};

function ConversationRow({ head, saved, open, rename }: ConversationRowProps) {
  const { id, title, updated_at, is_shared } = head;
  const isOpen = id === saved.conversation.id;
  return (
    <div className="flex items-center gap-1">
      <button
        type="button"
        onClick={open}
        aria-current={isOpen || undefined}
        className="min-w-0 flex-1 rounded-sm px-1 text-left hover:text-accent-text pointer-coarse:min-h-11"
      >
        <span className="block truncate font-medium">{title}</span>
        <span className="block text-xs text-muted">
          <RelativeTime at={updated_at} />
          {is_shared && " · Shared"}
          {isOpen && " · Open"}
        </span>
      </button>
      <IconButton label={`Rename “${title}”`} icon={<Pencil />} onClick={rename} />
      <ConfirmedAction
        renderButton={(ask) => <IconButton label={`Delete “${title}”`} icon={<Trash2 />} onClick={ask} />}
        title={`Delete “${title}”?`}
        confirmLabel="Delete conversation"
        action={removeConversation}
        input={{ id }}
        refetch={["listOwnConversations"]}
        done={() => `“${title}” deleted`}
        {...(isOpen && { onDone: () => void saved.conversations.startAnother({ discards: true }) })}
      >
        {is_shared
          ? "Its link stops working. This can’t be undone."
          : "No one else has a copy. This can’t be undone."}
      </ConfirmedAction>
    </div>
  );
}

const titleSchema = z.strictObject({ title: displayName });
type Titled = z.output<typeof titleSchema>;

const notSaved: ActionReply<never> = {
  ok: false,
  ...createProblem("failed", "The conversation could not be saved. The page behind this dialog says why."),
};

const deleted: ActionReply<never> = {
  ok: false,
  ...createProblem("not_found", "This conversation was deleted."),
};

type RenameDialogProps = { head: ConversationHead; saved: AutosavedWorkbench; close: () => void };

/** Renames one of the person's conversations. */
export function RenameDialog({ head, saved: { conversation, autosave }, close }: RenameDialogProps) {
  const form = useNewForm(titleSchema, { title: head.title });
  const save = async ({ title }: Titled): Promise<ActionReply<unknown>> => {
    // The open conversation is saved together with its current content.
    if (head.id !== conversation.id) return renameConversation({ id: head.id, title });
    if (await autosave.rename(title)) return { ok: true, data: null };
    const { state } = autosave.conversation;
    return state.kind === "stale" && state.isDeleted ? deleted : notSaved;
  };
  const rename = useAction(save, {
    refetch: ["listOwnConversations"],
    onSuccess: close,
    onError: ({ problem }) => showProblem(form, ["title"], problem),
  });
  return (
    <FormDialog
      form={form}
      name={`rename-${head.id}`}
      what={`the conversation “${head.title}”`}
      isEdit
      labels={{ title: "Title" }}
      title={`Rename “${head.title}”`}
      submit="Save title"
      pending={rename.isPending}
      close={close}
      onSubmit={(draft) => rename.mutate(draft)}
    >
      <TextField control={form.control} name="title" label="Title" apiName="title" maxLength={100} />
    </FormDialog>
  );
}

type ShareDialogProps = { saved: AutosavedWorkbench; close: () => void };

/** Shares a conversation with others of the organization by link, or stops sharing it. */
export function ShareDialog({ saved: { conversation, autosave }, close }: ShareDialogProps) {
  const [state, setState] = useState<"idle" | "pending" | "failed">("idle");
  const { isShared, id } = conversation;
  const project = useLinkedProject();
  async function share(to: boolean) {
    setState("pending");
    setState((await autosave.share(to)) ? "idle" : "failed");
  }
  const isPending = state === "pending";
  return (
    <Dialog
      open
      onClose={close}
      title="Share this conversation"
      description="Members of this organization who can use the playground can read it with the link, including the message that you are writing. They can’t change it; if they continue it, they get their own copy."
      footer={
        isShared ? (
          <Button pending={isPending} onClick={() => void share(false)}>
            Stop sharing
          </Button>
        ) : (
          <Button variant="primary" pending={isPending} onClick={() => void share(true)}>
            Share by link
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {isShared ? (
          <CodeBlock
            code={`${window.location.origin}${paths.playground(project, { conversation: id })}`}
            what="link"
            wrap
          />
        ) : (
          <p>Only you can read it now.</p>
        )}
        {state === "failed" && (
          <Notice tone="bad" role="alert" title="This was not saved">
            {conversation.state.kind === "failed"
              ? conversation.state.reason
              : "Another tab or session has changed the conversation. Close this dialog and choose which version to keep."}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
