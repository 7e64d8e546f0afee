interface Reply {
  readonly error?: unknown;
  readonly choices?: unknown;
}

/**
 * Whether a completion or a chunk tells that its provider failed: with an error, beside choices or without, or with a
 * choice that ended in one, as OpenRouter writes it.
 */
export function isFailure({ error, choices }: Reply): boolean {
  return Boolean(error) || (Array.isArray(choices) && choices.some(endedInError));
}

function endedInError(
  choice: { readonly finish_reason?: unknown; readonly error?: unknown } | null,
): boolean {
  return choice?.finish_reason === "error" || Boolean(choice?.error);
}
