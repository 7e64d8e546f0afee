"use client";

import { KeyRound, type LucideIcon, UserRound, UsersRound } from "lucide-react";
import { useState } from "react";
import { CsvLink } from "@/components/queries/exports/csv-link";
import { useFurtherRows } from "@/components/queries/reads/use-further-rows";
import { useRead } from "@/components/queries/reads/use-read";
import { firstRows } from "@/components/queries/reads/whole-list";
import { ReadState } from "@/components/queries/states/read-state";
import { PermissionAnswer } from "@/components/roles/permission-answer";
import { describePermission } from "@/components/roles/permission-groups";
import { permissionOptions } from "@/components/roles/permission-options";
import type { Project } from "@/components/roles/principal";
import { useMemberSuggestions } from "@/components/roles/use-member-suggestions";
import { ChoiceSelect, SearchedSelect } from "@/components/ui/fields/choice-select";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { PageHead } from "@/components/ui/page";
import { containsWords } from "@/components/ui/search/match-words";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { FilteredList } from "@/components/ui/table/filtered-list";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { PermissionHolder } from "@/lib/contract/operations/people/permissions";

type WhoCanScreenProps = { projects: readonly Project[]; seesMembers: boolean };

/** Who holds a permission, by which role and where; and why one member may not. The question is in the address. */
export function WhoCanScreen({ projects, seesMembers }: WhoCanScreenProps) {
  const [permission, setPermission] = useUrlParameter("permission");
  const [projectId, setProjectId] = useUrlParameter("project");
  const [memberId, setMemberId] = useUrlParameter("member");
  const field = "grid min-w-0 gap-1.5";
  return (
    <>
      <PageHead
        title="Who can…?"
        sentence={
          permission
            ? describePermission(permission)
            : "Choose a permission to see who has it, through which role and where. Choose a person, too, to see why they can or can’t."
        }
      />
      <div className="mb-6 grid gap-3 sm:grid-cols-[3fr_2fr_2fr]">
        <div className={field}>
          <span className="font-medium">What</span>
          <ChoiceSelect
            label="Permission"
            value={permission}
            nothing="Choose a permission"
            options={permissionOptions}
            choose={setPermission}
          />
        </div>
        <div className={field}>
          <span className="font-medium">Where</span>
          <ChoiceSelect
            label="Where"
            value={projectId}
            nothing="Anywhere"
            options={projects.map(({ id, name }) => ({ value: id, label: `Project ${name}` }))}
            choose={setProjectId}
          />
        </div>
        {seesMembers && (
          <div className={field}>
            <span className="font-medium">Person</span>
            <MemberChoice value={memberId} choose={setMemberId} />
          </div>
        )}
      </div>
      {permission && memberId && (
        <div className="mb-8 max-w-[720px]" aria-live="polite">
          <PermissionAnswer
            userId={memberId}
            permission={permission}
            projectId={projectId}
            projects={projects}
          />
        </div>
      )}
      {permission && <Holders permission={permission} projectId={projectId} projects={projects} />}
    </>
  );
}

function MemberChoice({ value, choose }: { value: string; choose: (id: string) => void }) {
  const [typed, setTyped] = useState("");
  const members = useMemberSuggestions(typed, true);
  const known = useRead("retrieveUser", { user_id: value }, { enabled: value !== "" }).data;
  const options = members.map(({ id, label, value: email }) => ({ value: id, label, note: email }));
  const isListed = !known || options.some((option) => option.value === known.id);
  return (
    <SearchedSelect
      label="Member"
      value={value}
      options={isListed ? options : [...options, { value: known.id, label: known.name, note: known.email }]}
      nothing={{ label: "Anybody", isOption: true }}
      choose={choose}
      search={setTyped}
      className="field h-9 w-full pointer-coarse:h-11"
    />
  );
}

type HoldersProps = { permission: string; projectId: string; projects: readonly Project[] };

function Holders({ permission, projectId, projects }: HoldersProps) {
  const read = firstRows("listPermissionHolders", { permission, project_id: projectId });
  const holders = useRead(...read);
  const further = useFurtherRows(read, holders.data);
  return (
    <ReadState read={holders} to="list who may" skeleton={<TableSkeleton rows={8} columns={5} />}>
      {({ data }) => (
        <FilteredList
          caption="Who holds the permission"
          columns={holderColumns(projects)}
          rows={data}
          rowId={({ id }) => id}
          rowHref={findHolderHref}
          noun="way"
          label="Search holders"
          find={(rows, text) =>
            rows.filter((row) =>
              containsWords(
                `${row.holder.name} ${describeKind(row)} ${row.role.name} ${row.through?.name ?? ""} ${describePlace(row, projects)}`,
                text,
              ),
            )
          }
          none={(text) =>
            text === "" ? "Nobody may, there." : `Nobody there has “${text}” in their name or role.`
          }
          download={
            <CsvLink href={buildExportUrl("listPermissionHolders", { permission, project_id: projectId })} />
          }
          further={further}
        />
      )}
    </ReadState>
  );
}

const kinds: Record<PermissionHolder["holder"]["type"], { word: string; icon: LucideIcon }> = {
  user: { word: "member", icon: UserRound },
  group: { word: "group", icon: UsersRound },
  admin_key: { word: "admin key", icon: KeyRound },
  project_key: { word: "project key", icon: KeyRound },
};

const describeKind = ({ holder }: PermissionHolder) => kinds[holder.type].word;

function describePlace({ project_id: id }: PermissionHolder, projects: readonly Project[]): string {
  return id === null ? "everywhere" : (projects.find((project) => project.id === id)?.name ?? id);
}

/** The page of a holder. */
function findHolderHref({ holder: { type, id, name }, project_id }: PermissionHolder): string {
  if (type === "user") return paths.member(id);
  if (type === "group") return paths.group(id);
  return type === "admin_key" ? paths.adminKeys() : paths.keys(project_id ?? undefined, { q: name });
}

function holderColumns(projects: readonly Project[]): readonly Column<PermissionHolder>[] {
  return [
    {
      id: "name",
      header: "Who",
      sortValue: ({ holder }) => holder.name,
      cell: (row) => {
        const Icon = kinds[row.holder.type].icon;
        return (
          <span className="inline-flex items-center gap-2 wrap-anywhere">
            <Icon aria-hidden className="size-4 shrink-0 text-muted" />
            {row.holder.name}
          </span>
        );
      },
    },
    { id: "kind", header: "Kind", width: "w-32", phone: "end", sortValue: describeKind, cell: describeKind },
    {
      id: "role",
      header: "By the role",
      width: "w-48",
      sortValue: ({ role }) => role.name,
      cell: ({ role }) => (
        <ConsoleLink href={paths.role(role.id)} className="relative z-1 hover:underline">
          {role.name}
        </ConsoleLink>
      ),
    },
    {
      id: "through",
      header: "Through",
      width: "w-40",
      phone: "hidden",
      sortValue: ({ through }) => through?.name ?? "",
      cell: ({ through }) => through?.name ?? <span className="text-muted">directly</span>,
    },
    {
      id: "where",
      header: "Where",
      width: "w-44",
      phone: "hidden",
      sortValue: (row) => describePlace(row, projects),
      cell: (row) => describePlace(row, projects),
    },
  ];
}
