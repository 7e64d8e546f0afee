import type { Column } from "@/components/ui/table/column";
import { Money } from "@/components/ui/values/money";
import { Quantity } from "@/components/ui/values/quantity";
import type { Reconciliation } from "@/lib/contract/operations/money/reconciliation";

interface ChargedRow {
  readonly id: string;
  readonly label: string;
  readonly what: string;
  /** Null for entries that aren't charges of calls. */
  readonly calls: number | null;
  readonly amount: string;
}

const bases: Record<Reconciliation["charged"][number]["basis"], { label: string; what: string }> = {
  reported: { label: "Reported", what: "The provider reported the usage" },
  estimated: {
    label: "Estimated",
    what: "The provider reported no usage; the gateway counted the received output",
  },
  interrupted: {
    label: "Interrupted",
    what: "The gateway stopped during the call; the usage it had counted by then was charged",
  },
};

export function chargedRows({ charged, provider_variance: variance }: Reconciliation): ChargedRow[] {
  const rows = charged.map(({ basis, calls, amount }) => ({ id: basis, ...bases[basis], calls, amount }));
  const beyond = {
    label: "Provider variance",
    what: "Reported cost above the holds; no project is charged for it",
  };
  return variance === null ? rows : [...rows, { id: "variance", ...beyond, calls: null, amount: variance }];
}

export function chargedColumns(currency: string): readonly Column<ChargedRow>[] {
  return [
    {
      id: "basis",
      header: "Usage",
      width: "w-48",
      cell: ({ label }) => <span className="font-medium">{label}</span>,
    },
    { id: "what", header: "What it is", phone: "hidden", cell: ({ what }) => what },
    {
      id: "calls",
      header: "Calls",
      width: "w-32",
      numeric: true,
      cell: ({ calls }) => calls !== null && <Quantity value={calls} />,
    },
    {
      id: "amount",
      header: "Amount",
      width: "w-48",
      unit: currency,
      numeric: true,
      phone: "end",
      amount: ({ amount }) => amount,
      cell: ({ amount }) => <Money amount={amount} />,
    },
  ];
}
