interface Reply {
  readonly error?: unknown;
  readonly errors?: unknown;
  readonly object?: unknown;
  readonly type?: unknown;
  readonly choices?: unknown;
}

/**
 * Whether a completion or a chunk tells that its provider failed: with an error, beside choices or without, as an error
 * itself, as vLLM writes it, or with a choice that ended in one, as OpenRouter writes it.
 */
export function isFailure({ error, errors, object, type, choices }: Reply): boolean {
  if (error || object === "error" || type === "error") return true;
  const hasErrors = Array.isArray(errors) ? errors.length > 0 : Boolean(errors);
  return hasErrors || (Array.isArray(choices) && choices.some(endedInError));
}

function endedInError(
  choice: { readonly finish_reason?: unknown; readonly error?: unknown } | null,
): boolean {
  return choice?.finish_reason === "error" || Boolean(choice?.error);
}
