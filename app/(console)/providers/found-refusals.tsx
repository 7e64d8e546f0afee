/** Says which fields of the gateway a provider has refused, so that calls go without them. */
export function FoundRefusals({ fields }: { fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <p className="mt-1 text-sm break-words text-muted">
      Refuses {fields.join(", ")}: calls are sent without {fields.length === 1 ? "it" : "them"}.
    </p>
  );
}
