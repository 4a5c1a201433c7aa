// The messages between a page and its Python. widget/protocol.py holds the same for the Python side, and
// tests/widget/test_protocol.py keeps the two alike.

export type Command =
  | { type: "show"; view: string }
  | { type: "operation"; operation: Record<string, unknown> }
  | { type: "arrive"; tokens: number }
  | { type: "fork"; chat: string }
  | { type: "generate"; chat: string }
  | { type: "setting"; name: string; position: number }
  | { type: "step"; to?: number; by?: number }
  | { type: "scenario"; name: string }
  | { type: "open"; link: string }
  | { type: "undo" }
  | { type: "redo" }
  | { type: "select"; chat: string }
  | { type: "look"; layout: string | null; slot?: number; move?: string }
  | { type: "attend"; chat: string | null; poison: boolean }
  | { type: "open_panel"; panel: string; open: boolean }
  | { type: "export"; what: string; theme?: string }
  | { type: "import"; text: string }
  | { type: "reset" };

export interface Frame {
  v: 1;
  regions: Record<string, string>;
  snapshot: { step: number } & Record<string, unknown>;
  contiguous: Record<string, unknown>[];
  paged: Record<string, unknown>[];
  caption: string;
  looked: string;
  link: string;
  steps: number;
  file: { name: string; type: string; text: string } | null;
  problem: string | null;
}

/** What a page sends to its Python: a session's command, a package that is wanted, or a session that ends. */
export type Message =
  | { v: 1; session: string; app: string; command: Command }
  | { v: 1; load: string }
  | { v: 1; end: string };

/** How the loading of a package goes: bytes so far, and in the end that it is there, or why it is not. */
export type PackageReport = {
  v: 1;
  type: "package";
  name: string;
  bytes: number;
  isThere: boolean;
  problem: string | null;
};

/** What Python sends to its page. Frames come in the order of the commands, one for each. */
export type Report =
  | { v: 1; type: "progress"; bytes: number }
  | { v: 1; type: "starting"; holdsPage?: boolean }
  | { v: 1; type: "live"; python: string; isWoken: boolean }
  | { v: 1; type: "frame"; session: string; frame: Frame }
  | PackageReport
  | { v: 1; type: "lost" }
  | { v: 1; type: "failed"; sentence: string; damaged?: string };
