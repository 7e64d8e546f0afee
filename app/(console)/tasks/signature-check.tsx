import { SnippetTabs } from "@/components/ui/text/snippet-tabs";
import { pythonVerifier, typescriptVerifier } from "@/lib/console/snippets/api-snippets";

const verifiers = [
  { id: "typescript", label: "TypeScript", code: typescriptVerifier },
  { id: "python", label: "Python", code: pythonVerifier },
];

/** Programs with which a receiver checks a callback's signature. */
export function SignatureCheck() {
  return <SnippetTabs label="Check a signature" snippets={verifiers} />;
}
