"use client";

import { BookText } from "lucide-react";
import { promptListRead } from "@/components/prompts/prompt-reads";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { isEmpty, ReadState } from "@/components/queries/states/read-state";
import { LinkButton } from "@/components/ui/links/link-button";
import { PageHead } from "@/components/ui/page";
import { findByNameOrId } from "@/components/ui/search/find-people";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { PromptHead } from "@/lib/contract/operations/playground/prompts";

const columns: readonly Column<PromptHead>[] = [
  {
    id: "name",
    header: "Name",
    phone: "title",
    sortValue: ({ name }) => name,
    cell: ({ name }) => <span className="wrap-anywhere">{name}</span>,
  },
  {
    id: "version",
    header: "Version",
    apiName: "latest_version",
    width: "w-24",
    numeric: true,
    sortValue: (prompt) => prompt.latest_version,
    cell: (prompt) => prompt.latest_version,
  },
  {
    id: "shared",
    header: "Visibility",
    apiName: "is_shared",
    width: "w-40",
    sortValue: ({ is_shared }) => (is_shared ? "Project" : "Only you"),
    cell: ({ is_shared }) => (is_shared ? "The project" : <span className="text-muted">Only you</span>),
  },
  {
    id: "owner",
    header: "Owner",
    width: "w-44",
    sortValue: ({ owner }) => owner.name,
    cell: ({ owner, is_own }) => (is_own ? "You" : <span className="wrap-anywhere">{owner.name}</span>),
  },
  {
    id: "updated",
    header: "Last changed",
    apiName: "updated_at",
    width: "w-36",
    sortValue: (prompt) => prompt.updated_at,
    cell: (prompt) => <RelativeTime at={prompt.updated_at} />,
  },
];

/** Lists the prompts of a project that the person can read. */
export function PromptListScreen({ projectId }: { projectId: string }) {
  const read = promptListRead(projectId);
  const prompts = useRead(...read);
  const further = useFurtherRows(read, prompts.data);
  const button = (
    <LinkButton variant="primary" href={paths.playground(projectId)}>
      Write a prompt
    </LinkButton>
  );
  return (
    <>
      <PageHead
        title="Prompts"
        sentence="Saved from the playground, with versions, and compared over cases and models."
        action={!isEmpty(prompts.data) && button}
      />
      <ReadState
        read={prompts}
        to="list the prompts"
        skeleton={<TableSkeleton rows={6} columns={4} />}
        empty={
          <EmptyState
            icon={BookText}
            title="No prompts yet"
            action={button}
            example="For example “Summarize a ticket”, with {{ticket}} in its text and a case for each kind of ticket."
          >
            Save a prompt from the playground to version it, share it and run it over a table of cases.
          </EmptyState>
        }
      >
        {({ data }) => (
          <FilteredList
            caption="Prompts of the project"
            columns={columns}
            rows={data}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.prompt(projectId, id)}
            noun="prompt"
            label="Search prompts"
            unfilteredUpTo={10}
            find={findByNameOrId}
            none={(typed) => `No prompt has “${typed}” in its name or id.`}
            download={<CsvLink href={buildExportUrl("listPrompts", { project_id: projectId })} />}
            further={further}
          />
        )}
      </ReadState>
    </>
  );
}
