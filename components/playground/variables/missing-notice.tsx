import { Notice } from "@/components/ui/notice";
import { type MissingValue, nameCases } from "./missing-values";

type MissingNoticeProps = { missing: readonly MissingValue[]; caseCount: number };

const MAX_NAMED = 5;

/** Says before a run which variables its calls would send unfilled. */
export function MissingNotice({ missing, caseCount }: MissingNoticeProps) {
  const versions = [...new Set(missing.map(({ version }) => version))].toSorted((one, other) => one - other);
  if (versions.length === 0) return null;
  const list = versions.length === 1 ? `version ${versions[0]}` : `versions ${versions.join(", ")}`;
  return (
    <Notice tone="near" title={`The cases don’t fit ${list}`}>
      <ul>
        {missing.slice(0, MAX_NAMED).map(({ version, variable, cases }) => (
          <li key={`${version} ${variable}`} className="wrap-anywhere">
            Version {version}: no value for <code className="font-mono">{variable}</code> in{" "}
            {nameCases(cases, caseCount)}.
          </li>
        ))}
      </ul>
      {missing.length > MAX_NAMED && <p>And {missing.length - MAX_NAMED} more.</p>}
      <p>A variable without a value is sent as it is written, in braces.</p>
    </Notice>
  );
}
