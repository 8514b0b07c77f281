import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react';

import { useMoment, useText } from '#src/i18n/i18n.ts';
import { KeyButton } from '#src/run/KeyButton.tsx';
import { ToggleTabs } from '#src/ui/ToggleTabs.tsx';

import type { useZoom } from './use-zoom.ts';

interface ZoomBarProps {
  readonly zoom: ReturnType<typeof useZoom>;
  readonly now: number;
}

/** Above the timeline: the time that it shows, and ways to show a shorter or a longer one. */
export function ZoomBar({ zoom, now }: ZoomBarProps) {
  const t = useText('timeline');
  const moment = useMoment();
  const { from, to } = zoom.range;
  const tabs = [
    { id: 'all', label: t('everything') },
    ...zoom.presets.map((days) => ({ id: `${days}`, label: t('lastDays', { count: days }) })),
  ];
  return (
    <div className="flex items-stretch">
      <div className="min-w-0 flex-1">
        <ToggleTabs label={t('zoom')} value={zoom.preset} onValue={zoom.showPreset} tabs={tabs} />
      </div>
      <div className="flex items-center gap-1 border-b border-line px-2">
        <span role="status" className="mr-2 whitespace-nowrap text-ink-2 tabular-nums">
          {t('visible', { from: moment(from, 'day'), until: moment(Math.min(to, now), 'day') })}
        </span>
        <KeyButton command="timeline.zoom-in" icon={<ZoomIn size={14} aria-hidden />} />
        <KeyButton command="timeline.zoom-out" icon={<ZoomOut size={14} aria-hidden />} />
        <KeyButton command="timeline.reset-zoom" icon={<Maximize2 size={14} aria-hidden />} />
      </div>
    </div>
  );
}
