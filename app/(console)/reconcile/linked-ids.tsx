import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";

const ID = /\b((?:req|txn)_[0-9a-z_]+)/;

/** Text in which ids of calls and entries are links. */
export function LinkedIds({ text }: { text: string }) {
  return text.split(ID).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part has no identity but its position
      <TextLink key={index} href={part.startsWith("req_") ? paths.request(part) : paths.ledgerEntry(part)}>
        <code className="font-mono">{part}</code>
      </TextLink>
    ),
  );
}
