import { useEffect, type ComponentProps } from 'react';

import type { WorkbenchAddress } from '#src/address/paths.ts';
import { loadAllTexts } from '#src/i18n/i18n.ts';
import { loadAllCommands } from '#src/run/invoke.ts';
import { PartError } from '#src/run/PartError.tsx';
import { TabStrips } from '#src/shell/TabStrips.tsx';
import { lazyPart } from '#src/ui/lazy-part.tsx';

import { hardLoad } from './hard-load.ts';
import { PanelLayout } from './PanelLayout.tsx';
import type { ParserBenchProps } from './parser-bench/ParserBench.tsx';

/** The only noun with a workbench is the parser. It loads separately, because its text editor is large. */
const ParserBench = lazyPart<ParserBenchProps>(
  async () => {
    const [{ ParserBench }] = await Promise.all([
      import('./parser-bench/ParserBench.tsx'),
      loadAllCommands(),
      loadAllTexts(),
    ]);
    return ParserBench;
  },
  { Failed: WorkbenchError },
);

function WorkbenchError(props: ComponentProps<typeof PartError>) {
  useEffect(() => void hardLoad(window.location.href), []);
  return <PartError {...props} />;
}

/** A screen on which one item is created or updated. A new item has the tabs of the list, and others have their own. */
export function Workbench({ destination, id, variant }: WorkbenchAddress) {
  return (
    <div className="flex h-full min-h-0 flex-col">
      {id === undefined && <TabStrips destination={destination} />}
      <div className="min-h-0 flex-1">
        <PanelLayout>
          <ParserBench id={id} variant={variant} list={destination.screen.path} />
        </PanelLayout>
      </div>
    </div>
  );
}
