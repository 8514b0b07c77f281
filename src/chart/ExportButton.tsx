import type { ValueOwner } from '#commands/model/values.ts';
import { CommandButton } from '#src/run/CommandButton.tsx';

interface ExportButtonProps {
  readonly owner: ValueOwner;
  readonly range: { readonly start: string; readonly end: string };
}

/** Offers a file with what is shown of a period: all values of a process point, or all messages of a device. */
export function ExportButton({ owner: { entity, id }, range }: ExportButtonProps) {
  const target = { ids: [id] };
  const isPoint = entity === 'process-point';
  return (
    <CommandButton
      command={isPoint ? 'export.create-values' : 'export.create'}
      args={isPoint ? { points: target, range } : { devices: target, range }}
      tone="quiet"
      className="h-6 px-1.5"
      showKeys={false}
    />
  );
}
