// The messages between a page with exercises and its worker. exercises/desk.py holds the same for the Python side,
// and tests/exercises/test_protocol.py keeps the two alike.

/** What a control of the page carries, and what a form adds to it. */
export interface ExerciseCommand {
  type: string;
  fields?: Record<string, string>;
  link?: string;
  memory?: string;
  text?: string;
  changed?: string;
  moving?: boolean;
}

export interface ExerciseFrame {
  v: 1;
  regions: Record<string, string>;
  said: string;
  link: string | null;
  memory: string | null;
  show: string | null;
  file: { name: string; type: string; text: string } | null;
  problem: string | null;
}

/** Verdicts that the build recorded, as [whether it is right, its markup], and where to find one. */
export interface Recorded {
  verdicts: [boolean, string][];
  answers: Record<string, Record<string, Record<string, number>>>;
}
