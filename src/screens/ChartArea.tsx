import { useSearch } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import type { ComponentProps, ReactNode } from 'react';

import type { Search } from '#src/address/address.ts';
import { loadAllStrings } from '#src/i18n/i18n.ts';
import type { PanelItem } from '#src/panel/Panel.tsx';
import { loadAllCommands } from '#src/run/invoke.ts';
import { PartError } from '#src/run/PartError.tsx';
import { userSessionAtom } from '#src/state/user-session.ts';
import { lazyPart } from '#src/ui/lazy-part.tsx';

const loadChart = () => import('#src/panel/ItemChart.tsx');

/** Loaded on first use, with the library that draws it. */
const ItemChart = lazyPart<ComponentProps<Awaited<ReturnType<typeof loadChart>>['ItemChart']>>(
  async () => {
    const [{ ItemChart }] = await Promise.all([loadChart(), loadAllCommands(), loadAllStrings()]);
    return ItemChart;
  },
  { Failed: PartError },
);

interface ChartAreaProps {
  /** The topmost item of the panel, which the chart belongs to. */
  readonly top: PanelItem | undefined;
  readonly children: ReactNode;
}

/** The content of a screen, covered by the chart of the panel's item if there is one. The content keeps its state. */
export function ChartArea({ top, children }: ChartAreaProps) {
  const { chart, range, zoom }: Search = useSearch({ strict: false });
  const session = useAtomValue(userSessionAtom);
  const isOpen = chart !== undefined && top !== undefined && session !== undefined;
  return (
    <div className="relative h-full min-h-0">
      <div inert={isOpen} className="h-full min-h-0">
        {children}
      </div>
      {isOpen && (
        <div className="absolute inset-0 z-10 bg-surface-0">
          <ItemChart
            organization={session.organization.id}
            entity={top.entity}
            id={top.id}
            fields={chart}
            range={range}
            zoom={zoom}
          />
        </div>
      )}
    </div>
  );
}
