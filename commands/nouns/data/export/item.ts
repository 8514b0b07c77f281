import { enumLabels } from '#commands/kit/enum-labels.ts';
import type { Level } from '#commands/model/column.ts';
import { Export_Format_Type, Export_Status, type Export } from '#proto/gen/hiber/export_pb.ts';
import type { ListProgressResponse_Progress as Progress } from '#proto/gen/quarterdeck/export/v1/export_progress_service_pb.ts';

/** An export with the name of whoever requested it. `progress` is absent if the server doesn't report it. */
export interface ExportItem {
  readonly export: Export;
  readonly requester: string | undefined;
  readonly progress: Progress | undefined;
}

export const statusLabels = enumLabels(Export_Status, 'export:status');
export const formatLabels = enumLabels(Export_Format_Type, 'export:format');

export const isReady = (item: ExportItem): boolean => item.export.status === Export_Status.READY;
export const isProcessing = (item: ExportItem): boolean => item.export.status === Export_Status.PROCESSING;

const levels: Readonly<Record<Export_Status, Level>> = {
  [Export_Status.READY]: 'ok',
  [Export_Status.EXPIRED]: 'none',
  [Export_Status.PROCESSING]: 'none',
  [Export_Status.FAILED]: 'error',
};

export const levelOf = (item: ExportItem): Level => levels[item.export.status] ?? 'none';

/** What an export contains: `messages` of devices, or `values` of process points. */
export type Content = 'messages' | 'values';

/** Returns the content of an export, with the ids of the devices or process points. */
export function contentOf({ configuration }: Export): { readonly content: Content; readonly ids: readonly string[] } {
  const type = configuration?.type;
  if (type?.case === 'modemMessage') return { content: 'messages', ids: type.value.modems };
  if (type?.case === 'processPointValues') return { content: 'values', ids: type.value.processPointIdentifiers };
  return { content: 'values', ids: type?.case === 'assetValues' ? type.value.assetIdentifiers : [] };
}
