import * as z from "zod/mini";

export const MIN_PASSWORD_LENGTH = 12;

/** A password that a member chooses: 12 to 200 characters of any kind (NIST SP 800-63B, 3.1.1.2). */
export const newPassword = z.string().check(z.minLength(MIN_PASSWORD_LENGTH), z.maxLength(200));

/**
 * The header with a device's token. Attempts from a known device are counted separately from those of unknown devices.
 */
export const DEVICE_HEADER = "x-gatehouse-device";

/** The token of a new device; absent for a known one. */
export const deviceToken = z.optional(z.string());
