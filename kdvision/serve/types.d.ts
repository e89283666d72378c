// What the server answers, for the type checker of the page's scripts (`tsc --project jsconfig.json`).

interface Seat {
  colour: string; player: string; claimed: number | null; claims: { sheet: number; phone: number } | null;
  photo: string | null; letter: string | null; kingdom: string | null; score: number | null; status: string | null;
  counts: number | null; verdict: string | null; explanation: string | null; open: boolean | null;
  settled: number | null; contradicts: number | null; elsewhere: boolean | null; corrected: boolean | null;
  photos: [string, string][] | null; rank: number | null; wins: boolean | null;
  // What was changed on this phone is being saved.
  saving?: boolean;
}

interface Unassigned {
  photo: string; letter: string; score: number | null; status: string; kingdom: string | null; again: string | null;
}

interface InList {
  id: string; name: string; code: string; sheet: boolean; colours: boolean; hidden: boolean; waits: string;
  photos: number; totals: Seat[]; open: Seat[];
}

interface Game {
  id: string; name: string; code: string; rules: Record<string, any>; sheet: boolean; colours: boolean;
  hidden: boolean; waits: string; photos: number; seats: Seat[]; unassigned: Unassigned[]; notes: string[];
}

interface Day { id: string; date: string; name: string; last: number }

interface OldEvening extends Day { bytes: number }

interface Evening {
  evening: Day; current: { evening: string; game: string | null; name: string | null }; games: InList[];
  game: Game | null; organiser: boolean; sheet: boolean; problem: string; evenings: OldEvening[]; low: boolean;
}

interface Line { rank: number; player: string; total: number; open: boolean }

interface Cell {
  row: number; col: number; place: string; name: string; face: string; inside: boolean; doubtful: boolean;
  likely: string[];
  // What was changed on this phone is being saved.
  saving?: boolean;
}

interface View {
  letter: string; rows: number; cols: number; cells: Cell[]; fixes: Record<string, string>; others: number[];
  doubt: string; problems: string[];
}

interface Territory { terrain: string; squares: number; crowns: number; points: number; cells: [number, number][] }

interface Kingdom {
  kingdom: string; score: number; status: string; territories: Territory[];
  bonuses: { code: string; earned: boolean; counted: boolean; points: number }[];
}

interface Photo {
  id: string; game: string; kingdoms: Kingdom[]; views: View[]; notes: string[]; fixes: Record<string, string>;
}

interface Entry { id: number; at: number; device: string; mine: boolean; what: string; text: string; undone: boolean }

// A kingdom of a photo; its line tells one reading from another.
interface Placed { photo: string | null; letter: string | null; kingdom?: string | null }

// Method, path and data of a request.
type Call = [string, string, unknown?];

// What waits on a phone: a photo, or a call that is made once there is a network.
interface Item {
  key: string; name?: string; photo?: Blob; call?: Call; options?: Record<string, string>;
  label?: string; shows?: Record<string, any>; raw?: boolean; stage?: string; error?: string;
}

// What the outbox tells the page.
interface OutboxPage {
  changed(items: Item[]): unknown; arrived(answer: any, item: Item): unknown; refused(error: any, item: Item): void;
  later(error: any, items: Item[]): void; unkept(): void;
}

interface Outbox {
  add(file: File, about: Partial<Item>): Promise<void>; addCall(call: Call, about: Partial<Item>): Promise<void>;
  run(): Promise<void>;
}

// Attributes of an element; those that are functions listen to events of their name.
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => unknown)>;
type Child = Node | string | null | undefined;

// What a service worker has, which runs beside the page.
interface ExtendableEvent extends Event { waitUntil(promise: Promise<unknown>): void }
interface FetchEvent extends Event { request: Request; respondWith(answer: Promise<Response>): void }
interface WindowEventMap { install: ExtendableEvent; activate: ExtendableEvent; fetch: FetchEvent }
interface Window { clients: { claim(): Promise<void> }; skipWaiting(): void }
