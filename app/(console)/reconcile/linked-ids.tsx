import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";

const ID = /\b((?:req|txn|proj|task)_[0-9a-z_]+|(?<=\b(?:statement|lines) of )\d{4}-\d{2})\b/;

const pathsByPrefix: Readonly<Record<string, (id: string) => string>> = {
  req: paths.request,
  txn: paths.ledgerEntry,
  proj: paths.project,
  task: paths.task,
};

/** Text in which the ids of calls, entries, projects and tasks and the months of statements are links. */
export function LinkedIds({ text }: { text: string }) {
  return text.split(ID).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // Keyed by position, which is a part's only identity.
      <TextLink key={index} href={(pathsByPrefix[part.split("_")[0] ?? ""] ?? paths.statement)(part)}>
        <code className="font-mono">{part}</code>
      </TextLink>
    ),
  );
}
