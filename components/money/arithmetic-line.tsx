import type { ReactNode } from "react";

/** A line of a calculation: its name and its amount. */
export function ArithmeticLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className="text-muted">
        {name}
      </th>
      <td>{children}</td>
    </tr>
  );
}
