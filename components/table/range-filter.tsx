"use client";

import { CalendarRange } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/button";
import { zoneAt } from "../ui/describe-time";
import { Dialog } from "../ui/dialog";
import { useIsHydrated } from "../ui/use-is-hydrated";
import { changeAddress } from "./change-address";
import { Labelled } from "./filter-fields";
import { isRange, isSeconds, type RangeChoice, ranges } from "./time-range";
import { useUrlParameter } from "./use-url-parameter";

const OWN = "own";

/** Filters by time: a range that ends now, a custom range, or all time. `defaultRange` is the default and left out of the address. */
export function RangeFilter({
  defaultRange,
  hasAll = true,
}: {
  defaultRange: RangeChoice;
  hasAll?: boolean;
}) {
  const [range] = useUrlParameter("range");
  const [from, to] = [useSeconds("from"), useSeconds("to")];
  const [isOpen, setIsOpen] = useState(false);
  const isOwn = from !== "" || to !== "";
  // The server doesn't know the viewer's zone: it renders UTC, which the browser then replaces.
  const timeZone = useIsHydrated() ? undefined : "UTC";
  const choose = (value: string) => {
    if (value === OWN) setIsOpen(true);
    else changeAddress({ range: value === defaultRange ? undefined : value, from: undefined, to: undefined });
  };
  return (
    <>
      <select
        aria-label="Time"
        className="field h-8 w-auto max-w-72 pointer-coarse:h-11"
        value={isOwn ? OWN : isRange(range) ? range : defaultRange}
        onChange={(event) => choose(event.target.value)}
      >
        {Object.entries(ranges).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {hasAll && <option value="all">All time</option>}
        <option value={OWN}>{isOwn ? describeRange(from, to, timeZone) : "Choose a range…"}</option>
      </select>
      {isOwn && (
        <Button onClick={() => setIsOpen(true)}>
          <CalendarRange aria-hidden />
          Change
        </Button>
      )}
      {isOpen && <RangeDialog from={from} to={to} close={() => setIsOpen(false)} />}
    </>
  );
}

/** A time from the address in Unix seconds; "" if it is absent or invalid, which doesn't filter either. */
function useSeconds(parameter: string): string {
  const [text] = useUrlParameter(parameter);
  return isSeconds(text) ? text : "";
}

type RangeDialogProps = { from: string; to: string; close: () => void };

function RangeDialog({ from, to, close }: RangeDialogProps) {
  const [start, setStart] = useState(toLocal(from));
  const [end, setEnd] = useState(toLocal(to));
  const isBackwards = start !== "" && end !== "" && end <= start;
  const apply = () => {
    if (isBackwards) return;
    changeAddress({ from: toSeconds(start), to: toSeconds(end), range: undefined });
    close();
  };
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Dialog
      open
      onClose={close}
      title="Choose a range"
      description={`Times are in ${zone}.`}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button variant="primary" onClick={apply}>
            Show this range
          </Button>
        </>
      }
    >
      <div className="grid gap-4" role="presentation" onKeyDown={(event) => event.key === "Enter" && apply()}>
        <Labelled label="From">{(id) => <Moment id={id} value={start} onChange={setStart} />}</Labelled>
        <Labelled label="Until">{(id) => <Moment id={id} value={end} onChange={setEnd} />}</Labelled>
        {isBackwards && (
          <p role="alert" className="text-sm text-danger">
            The end is before the start. Choose a later end.
          </p>
        )}
      </div>
    </Dialog>
  );
}

type MomentProps = { id: string; value: string; onChange: (value: string) => void };

function Moment({ id, value, onChange }: MomentProps) {
  return (
    <input
      id={id}
      type="datetime-local"
      step="1"
      className="field h-9 pointer-coarse:h-11"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Formats seconds for `datetime-local`, in the viewer's zone. */
function toLocal(seconds: string): string {
  if (seconds === "") return "";
  const date = new Date(Number(seconds) * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function toSeconds(local: string): string | undefined {
  return local === "" ? undefined : String(Math.floor(new Date(local).getTime() / 1000));
}

function describeRange(from: string, to: string, timeZone?: string): string {
  const format = (seconds: string) =>
    new Date(Number(seconds) * 1000).toLocaleString("en-GB", {
      dateStyle: "medium",
      timeStyle: "short",
      timeZone,
    });
  const zone = timeZone ?? zoneAt(Number(to || from));
  if (to === "") return `Since ${format(from)} ${zone}`;
  return from === "" ? `Until ${format(to)} ${zone}` : `${format(from)} – ${format(to)} ${zone}`;
}
