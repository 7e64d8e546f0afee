/** The sign-in library's own refusals carry a status and a code; anything else is a fault. */
interface LibraryError extends Error {
  readonly statusCode: number;
  readonly body?: { readonly code?: string };
}

/** Whether the sign-in library refused, rather than failed. */
export function isRefusal(error: unknown): error is LibraryError {
  return error instanceof Error && "statusCode" in error && Number(error.statusCode) < 500;
}

export function refusalCode(error: LibraryError): string {
  return error.body?.code ?? "";
}
