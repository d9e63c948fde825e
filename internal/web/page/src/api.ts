// Made from /openapi.yaml by make page. Do not edit.

export interface paths {
    "/api/v1/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The games, players and limits of this server */
        get: operations["about"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/analyse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Every move's result as it is decided
         * @description Server-sent events. Closing the connection ends the work.
         */
        post: operations["analyse"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/certificates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check a certificate of NoGo or of Go and keep it */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The status of searches on many machines */
        get: operations["cluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/cluster/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The status of searches on many machines, whenever it changes
         * @description Server-sent events, until the connection is closed.
         */
        get: operations["follow-cluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/learn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A position of NoGo as a sum */
        post: operations["learn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/papers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The papers' figures beside ours */
        get: operations["papers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A move */
        post: operations["play"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/position": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A position by the rules: its legal moves and its result */
        post: operations["position"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The results that are known without a search */
        post: operations["probe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The published tables beside ours */
        get: operations["results"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The cost of each move of a game, from the last to the first
         * @description Server-sent events. Closing the connection ends the work.
         */
        post: operations["review"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sgf/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a game record */
        post: operations["read-sgf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sgf/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a game record */
        post: operations["write-sgf"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/table": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Build the table of a board of Go
         * @description Server-sent events. Closing the connection ends the work.
         */
        post: operations["table"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A step of a proof, or the refutation of a move */
        post: operations["why"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        About: {
            /** @description whether searches on many machines can be watched */
            cluster: boolean;
            games: components["schemas"]["AboutGame"][] | null;
            levels: number[] | null;
            limits: components["schemas"]["AboutLimits"];
            players: components["schemas"]["AboutPlayer"][] | null;
            /** @description what each level means */
            strengths: components["schemas"]["AboutStrength"][] | null;
            version: string;
        };
        AboutGame: {
            /** Format: int64 */
            max_cols: number;
            /**
             * Format: int64
             * @description points of a single row or column
             */
            max_line: number;
            /** Format: int64 */
            max_rows: number;
            name: string;
            rules: string[] | null;
            title: string;
        };
        AboutLimits: {
            /**
             * Format: int64
             * @description at a time
             */
            analyses: number;
            /**
             * Format: int64
             * @description of other requests
             */
            body_bytes: number;
            /** Format: int64 */
            certificate_bytes: number;
            /**
             * Format: double
             * @description of a move, at most
             */
            move_seconds: number;
            /** Format: int64 */
            per_client: number;
            /** Format: int64 */
            queue: number;
            /**
             * Format: double
             * @description of an analysis
             */
            seconds: number;
            /** Format: int64 */
            sgf_bytes: number;
        };
        AboutPlayer: {
            name: string;
            title: string;
        };
        AboutStrength: {
            /**
             * Format: int64
             * @description of NoGo: positions that the network looks at; none if only time is limited
             */
            evaluations?: number;
            /**
             * Format: int64
             * @description of how many
             */
            games?: number;
            /** Format: int64 */
            level: number;
            /**
             * Format: int64
             * @description of NoGo, on boards that the network does not know
             */
            playouts?: number;
            /**
             * Format: double
             * @description of Go: a move that loses this many points is e times less likely than the best; none plays perfectly
             */
            slip?: number;
            /**
             * Format: int64
             * @description of NoGo: games won on 9x9 against the level below
             */
            won?: number;
        };
        AnalyseBody: {
            /** @description of Go under basic ko: what a game without end counts for Black: draw (the default), lose or win */
            endless?: string;
            /** @description of NoGo: estimate by playouts what is not proven yet */
            estimates?: boolean;
            /**
             * @description nogo or go
             * @example nogo
             */
            game: string;
            /** @description of Go: the point where the side to play may not retake */
            ko?: string;
            /** @description best play after every move, where a table has it */
            lines?: boolean;
            /** @description made from the position in turn, such as B2 or pass */
            moves?: string[] | null;
            /** @description of Go: the last move was a pass */
            passed?: boolean;
            /**
             * @description rows from the top joined by /, x Black, o White, . empty; the empty board if left out
             * @example x../.o./...
             */
            position?: string;
            /** @description of Go: basic (the default), psk or ssk */
            rules?: string;
            /**
             * @description ROWSxCOLS; may be left out beside a position
             * @example 4x5
             */
            size?: string;
            /** @description b (the default) or w: who makes the first of the moves */
            to_play?: string;
        };
        Branch: {
            /** @description b or w; it follows from the moves before, and is not read */
            colour?: string;
            comment?: string;
            move: string;
            /**
             * Format: int64
             * @description the place in this list of the move before it, from 0; -1 if it is a first move
             */
            parent: number;
        };
        BuildBody: {
            /**
             * @description ROWSxCOLS
             * @example 3x6
             */
            size: string;
        };
        Building: {
            /**
             * Format: double
             * @description seconds
             */
            elapsed: number;
            /**
             * Format: double
             * @description seconds until the end, about, once that can be sent
             */
            left?: number;
            /**
             * Format: double
             * @description of the whole build that is done, about
             */
            share: number;
        };
        Built: {
            size: string;
        };
        ClusterSearch: {
            /** Format: date-time */
            at: string;
            banned?: string[] | null;
            /** Format: double */
            chance?: number;
            /** Format: int64 */
            decided?: number;
            done: boolean;
            /** Format: int64 */
            epoch?: number;
            /** Format: int64 */
            facts: number;
            /** Format: int64 */
            jobs: number;
            layer?: string;
            line?: string;
            moves?: components["schemas"]["MoveStatus"][] | null;
            /** Format: int64 */
            new?: number;
            /** Format: int64 */
            nodes: number;
            /** Format: int64 */
            out: number;
            /** Format: int64 */
            part: number;
            phase: string;
            position?: string;
            /** Format: int64 */
            positions?: number;
            question: string;
            /** Format: double */
            rate: number;
            search: string;
            /** Format: double */
            seconds: number;
            /**
             * Format: double
             * @description since the last status of the master
             */
            silent_seconds: number;
            /**
             * @description silent if the master has sent nothing for a while
             * @enum {string}
             */
            state: "running" | "silent" | "done";
            to_play?: string;
            /** Format: int64 */
            whole: number;
            winner?: string;
            workers: components["schemas"]["WorkerStatus"][] | null;
        };
        Compared: {
            ours: string;
            published: string;
            /** @enum {string} */
            verdict: "equal" | "better" | "differs" | "new";
            what: string;
            /** @description the reason of a difference */
            why?: string;
        };
        Done: {
            /** @description the result of the position, with the move to recommend */
            best: components["schemas"]["Finding"];
            /**
             * Format: int64
             * @description of moves that symmetries exchange
             */
            classes: number;
            /** Format: int64 */
            decided: number;
            /**
             * Format: double
             * @description seconds
             */
            elapsed: number;
            /** Format: double */
            error_bound: number;
            /** @description the results of the position and of every move are exact */
            known: boolean;
            /** @description the time was up before everything was decided */
            late?: boolean;
            /** @description every legal move, the best first */
            moves: components["schemas"]["Finding"][] | null;
            /** Format: int64 */
            nodes: number;
            /** Format: int64 */
            playouts: number;
            /** @description the same as known */
            settled: boolean;
            warnings: string[] | null;
        };
        ErrorDetail: {
            /** @description Where the error occurred, e.g. 'body.items[3].tags' or 'path.thing-id' */
            location?: string;
            /** @description Error message text */
            message?: string;
            /** @description The value at the given location */
            value?: unknown;
        };
        ErrorModel: {
            /**
             * @description A human-readable explanation specific to this occurrence of the problem.
             * @example Property foo is required but is missing.
             */
            detail?: string;
            /** @description Optional list of individual error details */
            errors?: components["schemas"]["ErrorDetail"][] | null;
            /**
             * Format: uri
             * @description A URI reference that identifies the specific occurrence of the problem.
             * @example https://example.com/error-log/abc123
             */
            instance?: string;
            /**
             * Format: int64
             * @description HTTP status code
             * @example 400
             */
            status?: number;
            /**
             * @description A short, human-readable summary of the problem type. This value should not change between occurrences of the error.
             * @example Bad Request
             */
            title?: string;
            /**
             * Format: uri
             * @description A URI reference to human-readable documentation for the error.
             * @default about:blank
             * @example https://example.com/errors/example
             */
            type: string;
        };
        Experiment: {
            /** @description that makes it again */
            command: string;
            /** @description what of the paper */
            figure: string;
            name: string;
            /** @description authors and title */
            paper: string;
            /**
             * Format: int64
             * @description of the largest board
             */
            points: number;
            rows: components["schemas"]["Compared"][] | null;
            /** Format: double */
            seconds: number;
        };
        Finding: {
            /** @description where the result comes from, such as table, search or store */
            by?: string;
            /** @description the game goes on after line */
            cut?: boolean;
            /**
             * Format: double
             * @description probability that hashing made it wrong, at most
             */
            error_bound?: number;
            /**
             * @description exact, bounded, estimated or unknown
             * @enum {string}
             */
            grade: "exact" | "bounded" | "estimated" | "unknown";
            /** Format: int64 */
            hi?: number;
            /**
             * Format: int64
             * @description of Go: moves to the end of the game
             */
            length?: number;
            /** @description best play as far as it is known, from the move on */
            line?: string[] | null;
            /**
             * Format: int64
             * @description of Go: bounds of the score, or the score if endless games were lost by Black
             */
            lo?: number;
            move?: string;
            /** Format: double */
            prior?: number;
            /**
             * Format: int64
             * @description of Go, if it is exact: Black's area less White's
             */
            score?: number;
            /** Format: int64 */
            visits?: number;
            /**
             * Format: double
             * @description estimated: share of wins of the side to play
             */
            win_share?: number;
            /**
             * @description of NoGo, if it is exact
             * @enum {string}
             */
            winner?: "black" | "white";
        };
        Judged: {
            after: components["schemas"]["Worth"];
            before: components["schemas"]["Worth"];
            /** @description a move that keeps the result, if one is known */
            best?: string;
            /** @enum {string} */
            colour: "b" | "w";
            /**
             * Format: double
             * @description points of Go; of NoGo 1 for a win thrown away, or an estimated share of wins
             */
            cost: number;
            /** @description the game goes on after line */
            cut?: boolean;
            /**
             * @description how sure the cost is: exact, bounded (at least this), estimated or unknown
             * @enum {string}
             */
            grade: "exact" | "bounded" | "estimated" | "unknown";
            /** @description best play from there, as far as it is known */
            line?: string[] | null;
            /** @description it cost something, or is estimated to have cost much */
            mistake: boolean;
            move: string;
            /**
             * Format: int64
             * @description of the move in the game, from 1 on
             */
            number: number;
            /** @description no other move kept the result */
            only: boolean;
            /** @description of a mistake, a sentence */
            says?: string;
        };
        Learned: {
            /** @description empty points where nobody may play: liberties for ever */
            neutral: string[] | null;
            /** @description independent of each other, the smallest first */
            regions: components["schemas"]["Region"][] | null;
            says: string;
            /** @description of all regions */
            sum?: components["schemas"]["Value"];
        };
        Made: {
            colour: string;
            move: string;
        };
        Move: {
            /**
             * @description for the side that moves: won, lost, drawn or unknown
             * @enum {string}
             */
            known: "won" | "lost" | "drawn" | "unknown";
            line: string[] | null;
            move: string;
            says: string;
            /**
             * Format: int64
             * @description of Go: after the move, with best play
             */
            score?: number;
            /** Format: double */
            win_share?: number;
        };
        MoveStatus: {
            move: string;
            winner?: string;
        };
        News: {
            /** @description why no status arrives now */
            problem?: string;
            /** @description those under way first, then the latest */
            searches: components["schemas"]["ClusterSearch"][] | null;
        };
        PapersOutputBody: {
            experiments: components["schemas"]["Experiment"][] | null;
        };
        PlayBody: {
            /**
             * @description nogo or go
             * @example nogo
             */
            game: string;
            /** @description of Go: the point where the side to play may not retake */
            ko?: string;
            /**
             * Format: int64
             * @description 1 to 10, the default and the strongest
             */
            level?: number;
            /** @description made from the position in turn, such as B2 or pass */
            moves?: string[] | null;
            /** @description of Go: the last move was a pass */
            passed?: boolean;
            /** @description of NoGo: auto (the default), perfect, net, mcts, value or uct; of Go auto */
            player?: string;
            /**
             * @description rows from the top joined by /, x Black, o White, . empty; the empty board if left out
             * @example x../.o./...
             */
            position?: string;
            /** @description of Go: basic (the default), psk or ssk */
            rules?: string;
            /**
             * Format: double
             * @description to think, 1 if left out, at most 30
             */
            seconds?: number;
            /**
             * @description ROWSxCOLS; may be left out beside a position
             * @example 4x5
             */
            size?: string;
            /** @description b (the default) or w: who makes the first of the moves */
            to_play?: string;
        };
        Problem: {
            /** @description what it is about, for words of one's own */
            code?: string;
            message: string;
        };
        Question: {
            /**
             * @description nogo or go
             * @example nogo
             */
            game: string;
            /** @description of Go: the point where the side to play may not retake */
            ko?: string;
            /** @description made from the position in turn, such as B2 or pass */
            moves?: string[] | null;
            /** @description of Go: the last move was a pass */
            passed?: boolean;
            /**
             * @description rows from the top joined by /, x Black, o White, . empty; the empty board if left out
             * @example x../.o./...
             */
            position?: string;
            /** @description of Go: basic (the default), psk or ssk */
            rules?: string;
            /**
             * @description ROWSxCOLS; may be left out beside a position
             * @example 4x5
             */
            size?: string;
            /** @description b (the default) or w: who makes the first of the moves */
            to_play?: string;
        };
        Queued: {
            /**
             * Format: int64
             * @description 1 is the next
             */
            place: number;
        };
        Record: {
            black?: string;
            comment?: string;
            game: string;
            /**
             * Format: int64
             * @description games in the file if there is more than one; the first is read
             */
            games?: number;
            /**
             * Format: double
             * @description as the record states it; scores are without komi
             */
            komi?: number;
            name?: string;
            /** @description which part of the record could not be read */
            problem?: string;
            /** @description the position at the end of the main line */
            question: components["schemas"]["Question"];
            result?: string;
            rules?: string;
            /** @description the main line */
            tree: components["schemas"]["Recorded"][] | null;
            /** @description all moves, those of the main line included, if there is more than the main line */
            variations?: components["schemas"]["Branch"][] | null;
            white?: string;
        };
        Recorded: {
            colour: string;
            comment?: string;
            move: string;
        };
        Region: {
            canonical: string;
            /** Format: int64 */
            high: number;
            /**
             * Format: int64
             * @description the largest integer that it is not below
             */
            low: number;
            mean: string;
            /** @description L, R, N or P */
            outcome: string;
            points: string[] | null;
            temperature: string;
            text: string;
            thermograph: components["schemas"]["Thermograph"];
            title: string;
        };
        Result: {
            /**
             * Format: double
             * @description Black's area less White's, in games of points
             */
            score?: number;
            text: string;
            /**
             * @description black, white or none
             * @enum {string}
             */
            winner: "black" | "white" | "none";
        };
        ResultCell: {
            certificate_sha256?: string;
            col: string;
            /** @description that makes it again, if it was made here */
            command?: string;
            /** @description the best first move, if it was published and not made here */
            move?: string;
            /**
             * Format: int64
             * @description searched
             */
            positions?: number;
            /** @description the same result was published before */
            published: boolean;
            question: components["schemas"]["Question"];
            row: string;
            /** Format: int64 */
            score?: number;
            /** @description where it was published, if it was not made here */
            source?: string;
            /** @enum {string} */
            winner?: "black" | "white";
        };
        ResultTable: {
            cells: components["schemas"]["ResultCell"][] | null;
            cols: string[] | null;
            note: string;
            rows: string[] | null;
            title: string;
        };
        ResultsOutputBody: {
            tables: components["schemas"]["ResultTable"][] | null;
        };
        Reviewed: {
            /** @description the time was up before everything was decided */
            late?: boolean;
            /** @description in the order of the game */
            moves: components["schemas"]["Judged"][] | null;
            summary: string;
            warnings: string[] | null;
        };
        Standing: {
            game: string;
            history: components["schemas"]["Made"][] | null;
            ko?: string;
            /** @description moves of the side to play */
            legal: string[] | null;
            /** @description moves that the other side could make if it were its turn */
            legal_other: string[] | null;
            moves: string[] | null;
            over: boolean;
            /** Format: int64 */
            passes: number;
            /** @description names of the players for this game and this board */
            players: string[] | null;
            position: string;
            result?: components["schemas"]["Result"];
            /** @description of Go */
            rules?: string;
            size: string;
            /** @description the player that auto is at the highest level, of NoGo; search of Go on boards that no table holds */
            strongest?: string;
            /** @description a diagram */
            text: string;
            /** @enum {string} */
            to_play: "b" | "w";
        };
        Thermograph: {
            left: (number[] | null)[] | null;
            right: (number[] | null)[] | null;
        };
        Update: {
            best: components["schemas"]["Finding"];
            /**
             * Format: double
             * @description of Go: the share that is done of the table of the board, while it is built
             */
            built?: number;
            /** Format: int64 */
            classes: number;
            /** Format: int64 */
            decided: number;
            /**
             * Format: double
             * @description seconds
             */
            elapsed: number;
            /** @description those that have changed */
            moves: components["schemas"]["Finding"][] | null;
            /** Format: int64 */
            nodes: number;
            /** Format: int64 */
            playouts: number;
            /**
             * Format: double
             * @description nodes a second
             */
            rate: number;
        };
        Value: {
            canonical: string;
            /** Format: int64 */
            high: number;
            /**
             * Format: int64
             * @description the largest integer that it is not below
             */
            low: number;
            mean: string;
            /** @description L, R, N or P */
            outcome: string;
            temperature: string;
            text: string;
            thermograph: components["schemas"]["Thermograph"];
        };
        Verdict: {
            /**
             * Format: int64
             * @description of Go: the area of that side less the other's is at least this
             */
            at_least?: number;
            /** @description SHA-256 of the file */
            checksum: string;
            /** @enum {string} */
            game: "nogo" | "go";
            id: string;
            /** @description of Go: the point where the side to play may not retake */
            ko?: string;
            /** @description of Go: the last move was a pass */
            passed?: boolean;
            position: string;
            /** Format: int64 */
            positions: number;
            /** @description why it proves nothing */
            reason?: string;
            size: string;
            to_play: string;
            valid: boolean;
            /** @description of Go: the side whose score the certificate is about */
            winner: string;
        };
        Why: {
            /**
             * Format: int64
             * @description of a certificate of Go: the area of that side less the other's is at least this
             */
            at_least?: number;
            /** @description what proves the reply: certificate, endgame or book. Where a certificate of Go ends, the reason: safe (enough points are), rooms (the winner keeps every room) or rules (two passes) */
            by?: string;
            certificate?: components["schemas"]["WhyCertifies"];
            /**
             * Format: int64
             * @description points that the move gives away
             */
            cost?: number;
            /** @description the game goes on after line */
            cut?: boolean;
            /** @description best play from the move on; under basic ko the loser resists as long as it can */
            line?: string[] | null;
            /** @description every move of the loser and the answer */
            moves?: components["schemas"]["WhyMove"][] | null;
            over: boolean;
            /** @description the winner's move */
            reply?: string;
            /**
             * @description winner or loser: who is to play
             * @enum {string}
             */
            role?: "winner" | "loser";
            /** Format: int64 */
            score_after?: number;
            /** Format: int64 */
            score_before?: number;
            /** @enum {string} */
            to_play?: "b" | "w";
            /**
             * @description of Go: the side whose score the certificate is about
             * @enum {string}
             */
            winner?: "black" | "white";
        };
        WhyBody: {
            /** @description the id of a certificate that was sent here */
            certificate?: string;
            /** @description of Go under basic ko: what a game without end counts for Black: draw (the default), lose or win */
            endless?: string;
            /**
             * @description nogo or go
             * @example nogo
             */
            game: string;
            /** @description of Go: the point where the side to play may not retake */
            ko?: string;
            /** @description of Go without a certificate: the move to refute */
            move?: string;
            /** @description made from the position in turn, such as B2 or pass */
            moves?: string[] | null;
            /** @description of Go: the last move was a pass */
            passed?: boolean;
            /**
             * @description rows from the top joined by /, x Black, o White, . empty; the empty board if left out
             * @example x../.o./...
             */
            position?: string;
            /** @description of Go: basic (the default), psk or ssk */
            rules?: string;
            /**
             * @description ROWSxCOLS; may be left out beside a position
             * @example 4x5
             */
            size?: string;
            /** @description b (the default) or w: who makes the first of the moves */
            to_play?: string;
        };
        WhyCertifies: {
            checksum: string;
            id: string;
            /** Format: int64 */
            positions: number;
        };
        WhyMove: {
            answer?: string;
            /** @description certificate, endgame, book, or rules if the game is over then; of a certificate of Go also safe or rooms, if it ends with the answer */
            by: string;
            move: string;
        };
        WorkerStatus: {
            about?: string;
            elsewhere?: boolean;
            job?: string;
            /** Format: int64 */
            jobs: number;
            /** Format: int64 */
            memory: number;
            name: string;
            /** Format: int64 */
            nodes: number;
            /** Format: double */
            rate: number;
            /** Format: double */
            silent: number;
            /** Format: int64 */
            threads: number;
        };
        Worth: {
            /** @description where the result comes from, such as table, search or store */
            by?: string;
            /**
             * @description exact, bounded, estimated or unknown
             * @enum {string}
             */
            grade: "exact" | "bounded" | "estimated" | "unknown";
            /** Format: int64 */
            hi?: number;
            /**
             * Format: int64
             * @description of Go: bounds of a score that is not exact
             */
            lo?: number;
            /**
             * Format: int64
             * @description of Go, if it is exact: Black's area less White's
             */
            score?: number;
            /**
             * Format: double
             * @description estimated: share of wins that Black may expect
             */
            share?: number;
            /**
             * @description if it is exact: black, white or none
             * @enum {string}
             */
            winner?: "black" | "white" | "none";
        };
        WriteBody: {
            black?: string;
            /** @description one for each move, in order */
            comments?: string[] | null;
            /**
             * @description nogo or go
             * @example nogo
             */
            game: string;
            /** @description of Go: the point where the side to play may not retake */
            ko?: string;
            /** @description made from the position in turn, such as B2 or pass */
            moves?: string[] | null;
            name?: string;
            /** @description of Go: the last move was a pass */
            passed?: boolean;
            /**
             * @description rows from the top joined by /, x Black, o White, . empty; the empty board if left out
             * @example x../.o./...
             */
            position?: string;
            /** @description as a record states it, such as W+4, in place of the one by the rules */
            result?: string;
            /** @description of Go: basic (the default), psk or ssk */
            rules?: string;
            /**
             * @description ROWSxCOLS; may be left out beside a position
             * @example 4x5
             */
            size?: string;
            /** @description b (the default) or w: who makes the first of the moves */
            to_play?: string;
            /** @description a tree of moves in place of moves and comments */
            variations?: components["schemas"]["Branch"][] | null;
            white?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    about: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["About"];
                };
            };
            /** @description Error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    analyse: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnalyseBody"];
            };
        };
        responses: {
            /** @description Events. The last one is of one of the last two kinds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": ({
                        data: components["schemas"]["Queued"];
                        /** @enum {string} */
                        event: "queued";
                    } | {
                        data: components["schemas"]["Update"];
                        /** @enum {string} */
                        event: "update";
                    } | {
                        data: components["schemas"]["Done"];
                        /** @enum {string} */
                        event: "done";
                    } | {
                        data: components["schemas"]["Problem"];
                        /** @enum {string} */
                        event: "problem";
                    })[];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verdict"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    cluster: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["News"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    "follow-cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events without end */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": {
                        data: components["schemas"]["News"];
                        /** @enum {string} */
                        event: "news";
                    }[];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    learn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Learned"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    papers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "Content-Type"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PapersOutputBody"];
                };
            };
            /** @description Error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    play: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlayBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Move"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    position: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Standing"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    probe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnalyseBody"];
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    results: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Cache-Control"?: string;
                    "Content-Type"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultsOutputBody"];
                };
            };
            /** @description Error */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    review: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Question"];
            };
        };
        responses: {
            /** @description Events. The last one is of one of the last two kinds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": ({
                        data: components["schemas"]["Queued"];
                        /** @enum {string} */
                        event: "queued";
                    } | {
                        data: components["schemas"]["Judged"];
                        /** @enum {string} */
                        event: "judged";
                    } | {
                        data: components["schemas"]["Reviewed"];
                        /** @enum {string} */
                        event: "reviewed";
                    } | {
                        data: components["schemas"]["Problem"];
                        /** @enum {string} */
                        event: "problem";
                    })[];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    "read-sgf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-go-sgf": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Record"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    "write-sgf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WriteBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition"?: string;
                    "Content-Type"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    table: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuildBody"];
            };
        };
        responses: {
            /** @description Events. The last one is of one of the last two kinds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": ({
                        data: components["schemas"]["Queued"];
                        /** @enum {string} */
                        event: "queued";
                    } | {
                        data: components["schemas"]["Building"];
                        /** @enum {string} */
                        event: "building";
                    } | {
                        data: components["schemas"]["Built"];
                        /** @enum {string} */
                        event: "built";
                    } | {
                        data: components["schemas"]["Problem"];
                        /** @enum {string} */
                        event: "problem";
                    })[];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
    why: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WhyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Why"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ErrorModel"];
                };
            };
        };
    };
}
