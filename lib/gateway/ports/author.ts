/** Who made something that counts later, as an invitation does: an admin key, or a member. */
export interface Author {
  readonly kind: "admin_key" | "user";
  readonly id: string;
}
