// Types of the elements that quartier.js defines. Attributes are properties of the same names.

/** A score: value is a decimal from 0 to 5, text says it in words. */
export interface Score { value: string; text: string }

/** What GET /v3/scores answers about a point. */
export interface ScoresAnswer { data: { location?: Record<string, Score> } }

/** Why an element shows nothing. */
export type Reason = 'place' | 'key' | 'choice' | 'refused' | 'none' | 'server' | 'network' | 'no_webgl' | 'no_map';

interface Placed extends HTMLElement {
  lat: string;
  lng: string;
  /** "light", "dark", or "auto", what the browser prefers. */
  theme: string;
  /** A publishable key. */
  key: string;
}

export interface QuartierScores extends Placed {
  /** Names of scores by comma, which are shown in this order; "" is all. */
  scores: string;
  /** An answer that the page has from its own server: then none is asked for. */
  data: ScoresAnswer | null;
}

export interface QuartierMap extends Placed {
  /** 0 to 18. */
  zoom: string;
  /** "click": nothing is loaded before somebody asks for the map. */
  load: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'quartier-scores': QuartierScores;
    'quartier-map': QuartierMap;
  }
  interface HTMLElementEventMap {
    'quartier-load': CustomEvent<{ scores?: Record<string, number> }>;
    'quartier-error': CustomEvent<{ reason: Reason; status: number; message: string }>;
  }
}
