// Generated from openapi.yaml by npm run codegen.

export interface paths {
    "/pets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the animals
         * @description Returns a page of animals by ascending id, unless `sort` says otherwise. `Link` leads to the next page and is absent on the last one; pages
         *     stay right while animals are being added. Needs the scope `pets:read`.
         */
        get: operations["listPets"];
        put?: never;
        /**
         * Add an animal
         * @description Adds an animal and returns it with the id it was given. A body may have up to 64 KiB. Needs the scope
         *     `pets:write`.
         */
        post: operations["createPet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the animals
         * @description Returns all animals, or those that the filters leave, by ascending id in one answer of any length, as they come.
         *     Animals that are added meanwhile are not in it. Costs one request for each begun thousand of animals that it looks
         *     through: those of the status or the category, whichever are fewer, and never more than a minute of the plan.
         *     `X-RateLimit-Cost` tells it before the first animal, and `HEAD` tells it for one request and exports nothing. Where
         *     the answer cannot be finished the connection is cut. Needs the scope `pets:read`.
         */
        get: operations["exportPets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import animals
         * @description Adds up to 10,000 animals of one body of up to 10 MB, unpacked, as NDJSON or CSV: all of them or, where one is
         *     faulty, none. Their ids ascend as the lines do. An export is an import: its ids are ignored, as is every other member
         *     or column that is not a new animal's. A body of no lines adds none.
         *
         *     It has to arrive within ten seconds, as every request; gzip helps a slow line. `details` tell up to 100 faulty lines,
         *     each by its number, field and reason. Costs one request for each begun hundred
         *     of animals, and never more than a minute of the plan: `X-RateLimit-Cost` tells how many, also with a 429, which costs
         *     nothing. Nothing is read of whoever has none left; whatever else keeps animals from being imported costs one. A 503
         *     may also say that too many imports are just being read. Needs the scope `pets:write`.
         */
        post: operations["importPets"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pets/{petId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch one animal
         * @deprecated
         * @description Returns one animal. Use `GET /pets` with the `status` filter instead: this operation is removed on
         *     5 December 2030 and answers 410 from then on. Needs the scope `pets:read`.
         */
        get: operations["getPet"];
        put?: never;
        post?: never;
        /**
         * Delete an animal
         * @description Deletes an animal for good; its id goes to no other one. Deleted already, it is a 404. Needs the scope
         *     `pets:write`.
         */
        delete: operations["deletePet"];
        options?: never;
        head?: never;
        /**
         * Change an animal
         * @description Changes what the body gives and leaves the rest as it is, and returns the animal. Needs the scope `pets:write`.
         */
        patch: operations["updatePet"];
        trace?: never;
    };
    "/store/inventory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the animals by status
         * @description Returns how many animals there are of each status, right after every change, and as quickly for millions as for
         *     three. Needs the scope `pets:read`.
         */
        get: operations["getInventory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rate-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what is left
         * @description Returns the plan, both windows and the ban of the calling key. Costs nothing, needs no scope, and answers a
         *     banned key too; a 429 meets only an address that keeps coming without a valid key. It has no `ETag`: other
         *     requests and mere time change it.
         */
        get: operations["getRateLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the categories
         * @description Returns a page of the categories that have a name, by ascending number. `Link` leads to the next page and is
         *     absent on the last one. Needs the scope `pets:read`.
         */
        get: operations["listCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/categories/{categoryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch one category
         * @description Returns the name of a category. Needs the scope `pets:read`.
         */
        get: operations["getCategory"];
        /**
         * Name a category
         * @description Gives a category a name, or another one. Any number may have one, whether or not a pet bears it. Needs the scope
         *     `pets:write`.
         */
        put: operations["setCategory"];
        post?: never;
        /**
         * Take the name from a category
         * @description Pets of the category keep its number. Needs the scope `pets:write`.
         */
        delete: operations["removeCategory"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders
         * @description Returns a page of orders, the newest first. `Link` leads to the next page and is absent on the last one; pages
         *     stay right while orders are being placed. Needs the scope `orders:read`.
         */
        get: operations["listOrders"];
        put?: never;
        /**
         * Place an order
         * @description Orders an animal that is available, or has no status, and makes it pending. An animal has one open order at most:
         *     of all who want it one gets it, and the others get a 409. Needs the scope `orders:write`.
         */
        post: operations["placeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch one order
         * @description Returns one order. Needs the scope `orders:read`.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve an order
         * @description Approves a placed order. Repeated, it answers with the order as it is. Needs the scope `orders:write`.
         */
        post: operations["approveOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver an order
         * @description Delivers an approved order and makes its animal sold. Repeated, it answers with the order as it is. Needs the
         *     scope `orders:write`.
         */
        post: operations["deliverOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/store/orders/{orderId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description Cancels a placed or approved order and gives its animal the status back that it had. Repeated, it answers with the
         *     order as it is. Needs the scope `orders:write`.
         */
        post: operations["cancelOrder"];
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
        /**
         * @description Availability of an animal.
         * @enum {string}
         */
        PetStatus: "available" | "pending" | "sold";
        /**
         * Format: int64
         * @description Unique identifier, assigned by the service on creation.
         */
        PetId: bigint;
        /**
         * @description The animal's name: 1 to 255 characters after white space around it is trimmed, no control character, no lone
         *     surrogate. Names from before this rule stay as they are.
         */
        PetName: string;
        /**
         * @description Identifier of the category the animal belongs to. Exact to the last digit in and out: read it as a 64-bit
         *     integer, since a double rounds beyond 2^53. Answers have the number; a client that cannot write it so sends
         *     its decimal digits.
         */
        NewCategoryId: bigint;
        /** @description An animal to add. */
        NewPet: {
            name: components["schemas"]["PetName"];
            categoryId: components["schemas"]["NewCategoryId"];
            /** @description Availability status. Left out, it stays unset, and answers leave it out as well; it is never null. */
            status?: components["schemas"]["PetStatus"];
        };
        /** @description What to change of an animal; what is left out stays as it is. */
        PetChange: {
            name?: components["schemas"]["PetName"];
            categoryId?: components["schemas"]["NewCategoryId"];
            /** @description Availability status; null leaves it unset. */
            status?: components["schemas"]["PetStatus"] | null;
        };
        /** @description An animal of the store. */
        Pet: {
            id: components["schemas"]["PetId"];
            /** @description The animal's name. */
            name: string;
            /**
             * Format: int64
             * @description Identifier of the category, always as the number. Exact to the last digit: read it as a 64-bit integer, since a
             *     double rounds beyond 2^53.
             */
            categoryId: bigint;
            /** @description Availability status; absent while it is unset, never null. */
            status?: components["schemas"]["PetStatus"];
        };
        /** @description Animals by ascending id, or by descending id where that was asked for. */
        Pets: components["schemas"]["Pet"][];
        /** @description What an import has added. Animals that were added beside it may have ids between the two. */
        Imported: {
            /**
             * Format: int32
             * @description How many animals were added.
             */
            imported: number;
            /** @description The id of the first one */
            firstId?: components["schemas"]["PetId"];
            /** @description The id of the last one */
            lastId?: components["schemas"]["PetId"];
        };
        /**
         * Format: int64
         * @description The number that animals bear as their category.
         */
        CategoryId: bigint;
        /** @description A name for a category. */
        CategoryName: {
            /**
             * @description The category's name: 1 to 100 characters after white space around it is trimmed, no control character, no lone
             *     surrogate.
             */
            name: string;
        };
        /** @description A category that has a name. Animals bear its number whether it has one or not. */
        Category: {
            id: components["schemas"]["CategoryId"];
            /** @description The category's name. */
            name: string;
            /**
             * Format: int32
             * @description How many animals bear its number.
             */
            petCount: number;
        };
        /** @description Categories by ascending number. */
        Categories: components["schemas"]["Category"][];
        /**
         * @description How far an order has come.
         * @enum {string}
         */
        OrderStatus: "placed" | "approved" | "delivered" | "cancelled";
        /**
         * Format: int64
         * @description Unique identifier, assigned by the service when the order is placed.
         */
        OrderId: bigint;
        /**
         * @description The caller's own name for the order, unique in the project; white space around it is trimmed, and it has no control
         *     characters.
         */
        OrderReference: string;
        /**
         * @description What is to be known of the order; white space around it is trimmed. Of
         *     control characters it may have line breaks and tabs.
         */
        OrderNote: string;
        /** @description An order to place. */
        NewOrder: {
            /** @description The identifier of the animal, as the number or as the string of its digits. */
            petId: bigint;
            reference?: components["schemas"]["OrderReference"];
            note?: components["schemas"]["OrderNote"];
        };
        /**
         * @description An animal that somebody wants. It remembers the animal's name and category as they were when it was placed, whatever
         *     becomes of the animal. What is unset is left out.
         */
        Order: {
            id: components["schemas"]["OrderId"];
            /**
             * Format: int64
             * @description Identifier of the animal, which may be gone.
             */
            petId: bigint;
            /**
             * Format: int64
             * @description The animal's category when the order was placed.
             */
            categoryId: bigint;
            /** @description The animal's name when the order was placed. */
            petName: string;
            status: components["schemas"]["OrderStatus"];
            /** @description The caller's own name for the order. */
            reference?: string;
            /** @description What is to be known of the order. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was placed.
             */
            placedAt: string;
            /**
             * Format: date-time
             * @description When it was approved.
             */
            approvedAt?: string;
            /**
             * Format: date-time
             * @description When it was delivered.
             */
            deliveredAt?: string;
            /**
             * Format: date-time
             * @description When it was cancelled.
             */
            cancelledAt?: string;
        };
        /** @description Orders, the newest first. */
        Orders: components["schemas"]["Order"][];
        /** @description How many animals the store has. */
        Inventory: {
            /**
             * Format: int32
             * @description Animals with the status available.
             */
            available: number;
            /**
             * Format: int32
             * @description Animals with the status pending.
             */
            pending: number;
            /**
             * Format: int32
             * @description Animals with the status sold.
             */
            sold: number;
            /**
             * Format: int32
             * @description Animals without a status.
             */
            unset: number;
            /**
             * Format: int32
             * @description All animals.
             */
            total: number;
        };
        /** @description Why a request was refused or failed. */
        Error: {
            code: components["schemas"]["ErrorCode"];
            /** @description Human-readable description, one line. Its wording may change; decide by `code`. */
            message: string;
            /**
             * Format: int32
             * @description The HTTP status code.
             */
            status: number;
            /** @description Each faulty field of the request, with code `invalid_input`; of an import those of up to 100 lines. */
            details?: components["schemas"]["FieldError"][];
        };
        /** @description One faulty field and what is wrong with it. */
        FieldError: {
            /** @description The member of the body, query parameter or header. */
            field: string;
            /** @description What is wrong, to be read after the field's name. */
            message: string;
            /**
             * Format: int32
             * @description Of an import, the number of the line, counted from 1; of one with line breaks in it, of its first.
             */
            line?: number;
        };
        /**
         * @description Machine-readable error code. The list is closed, and the same through every door of the service.
         * @enum {string}
         */
        ErrorCode: "invalid_input" | "malformed_request" | "operation_too_complex" | "unauthorized" | "insufficient_scope" | "project_suspended" | "pet_not_found" | "category_not_found" | "order_not_found" | "order_exists" | "order_state" | "pet_not_available" | "pet_in_order" | "project_not_found" | "api_key_not_found" | "api_key_ended" | "project_exists" | "not_found" | "method_not_allowed" | "not_acceptable" | "request_timeout" | "idempotency_in_flight" | "gone" | "precondition_failed" | "body_too_large" | "unsupported_media_type" | "idempotency_mismatch" | "misdirected_host" | "verify_too_soon" | "too_many_orders" | "too_many_domains" | "domain_not_found" | "deploy_not_found" | "deploy_required" | "plan_required" | "rate_limited" | "key_banned" | "headers_too_large" | "internal_error" | "not_implemented" | "unavailable";
        /** @description The limits of the calling key's project. */
        RateLimit: {
            /**
             * @description The project's plan.
             * @enum {string}
             */
            plan: "free" | "pro" | "business" | "enterprise";
            /** @description The windows in which requests are counted. */
            windows: components["schemas"]["RateLimitWindow"][];
            /** @description The ban of the calling key, or null. */
            ban: components["schemas"]["Ban"] | null;
        };
        /** @description One window of the limits. */
        RateLimitWindow: {
            /**
             * @description A minute has 60 seconds and a day 24 hours, both from first use.
             * @enum {string}
             */
            name: "minute" | "day";
            /**
             * Format: int32
             * @description Requests that the window takes.
             */
            limit: number;
            /**
             * Format: int32
             * @description Requests that it still takes.
             */
            remaining: number;
            /**
             * Format: date-time
             * @description When the window ends; of one that has not started, when it would end if it started now.
             */
            resetAt: string;
        };
        /** @description A key's temporary refusal after it kept hammering. */
        Ban: {
            /**
             * Format: date-time
             * @description When the key is welcome again.
             */
            endsAt: string;
        };
    };
    responses: {
        /** @description A query parameter is wrong, or the request could not be read. */
        InvalidQuery: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body lacks required fields or has invalid values, or the request could not be read. */
        InvalidPet: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Lines of the body are faulty, or the request could not be read; no animal was added. */
        InvalidImport: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body lacks a name or has one that is not taken, or the request could not be read. */
        InvalidCategory: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_input",
                 *       "message": "name must be a string of 1 to 100 characters.",
                 *       "status": 400,
                 *       "details": [
                 *         {
                 *           "field": "name",
                 *           "message": "must be a string of 1 to 100 characters"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body lacks the animal or has invalid values, or the request could not be read. */
        InvalidOrder: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_input",
                 *       "message": "petId must be an integer of 64 bits, or the string of its digits.",
                 *       "status": 400,
                 *       "details": [
                 *         {
                 *           "field": "petId",
                 *           "message": "must be an integer of 64 bits, or the string of its digits"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The animal is in an open order, so that it stays and keeps its status. */
        PetInOrder: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "pet_in_order",
                 *       "message": "Pet 1 is in an open order; deliver or cancel that first.",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such order in your project. */
        OrderNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "order_not_found",
                 *       "message": "There is no order 99.",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The order has gone another way. */
        OrderState: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "order_state",
                 *       "message": "The order 12 is cancelled; only what is placed can become approved.",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The animal is pending or sold, the reference is taken, or the first request with this Idempotency-Key is still
         *     running; the last alone has `Retry-After`.
         */
        NotPlaced: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The category has no name in your project. */
        CategoryNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "category_not_found",
                 *       "message": "The category 7 has no name.",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body changes nothing or has invalid values, or the request could not be read. */
        InvalidChange: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The condition is no ETag, or the request could not be read. */
        InvalidCondition: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "invalid_input",
                 *       "message": "If-Match must be an ETag, a list of them, or *.",
                 *       "status": 400,
                 *       "details": [
                 *         {
                 *           "field": "If-Match",
                 *           "message": "must be an ETag, a list of them, or *"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description There is no such animal in your project. */
        PetNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "pet_not_found",
                 *       "message": "There is no pet 99.",
                 *       "status": 404
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The animal has changed since it had the ETag of `If-Match`; nothing was done. */
        PreconditionFailed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "precondition_failed",
                 *       "message": "Pet 1 is not as it was; look at it again, and then change it.",
                 *       "status": 412
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request could not be read. */
        MalformedRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "malformed_request",
                 *       "message": "The request is malformed.",
                 *       "status": 400
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The API key is missing or invalid; which of the two, and why, is not told. The limit in the headers is that of
         *     the client address.
         */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unauthorized",
                 *       "message": "Send a valid API key: Authorization: Bearer as_...",
                 *       "status": 401
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key lacks the scope of this operation, or the project is suspended. */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The project is suspended. */
        Suspended: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "project_suspended",
                 *       "message": "This project is suspended; its operator can resume it.",
                 *       "status": 403
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request took too long to arrive. */
        RequestTimeout: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "request_timeout",
                 *       "message": "The request took too long to arrive.",
                 *       "status": 408
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The first request with this Idempotency-Key is still running; repeat it in a moment. */
        IdempotencyInFlight: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "idempotency_in_flight",
                 *       "message": "A request with this Idempotency-Key is still running; repeat it in a moment.",
                 *       "status": 409
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 64 KiB. */
        BodyTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "body_too_large",
                 *       "message": "The body is larger than 64 KiB.",
                 *       "status": 413
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than 10 MB, or holds more than 10,000 animals; none was added. */
        ImportTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is neither application/x-ndjson nor text/csv, or not in UTF-8. */
        UnsupportedImport: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unsupported_media_type",
                 *       "message": "The body must be application/x-ndjson or text/csv, in UTF-8.",
                 *       "status": 415
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not application/json in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unsupported_media_type",
                 *       "message": "The body must be application/json in UTF-8.",
                 *       "status": 415
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used for something else within 24 hours. */
        IdempotencyMismatch: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "idempotency_mismatch",
                 *       "message": "This Idempotency-Key was used for something else; use a new key for a new pet.",
                 *       "status": 422
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The limit is used up, or the API key is banned for going on regardless. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing is served at the host that the request names, for example because its domain was removed. */
        MisdirectedHost: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "misdirected_host",
                 *       "message": "Nothing is served at this host.",
                 *       "status": 421
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request's headers are too large. */
        HeadersTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "headers_too_large",
                 *       "message": "The request's headers are too large.",
                 *       "status": 431
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A fault of the service. */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "internal_error",
                 *       "message": "Something went wrong on our side. Name the X-Request-Id when you report it.",
                 *       "status": 500
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is wrapped in a transfer coding that the service does not know. */
        NotImplemented: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "not_implemented",
                 *       "message": "Of all transfer codings only chunked is known here.",
                 *       "status": 501
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service cannot reach its database; a change may or may not have been made. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Ratelimit: components["headers"]["Ratelimit"];
                "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Cache-Control": components["headers"]["Cache-Control"];
                "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "code": "unavailable",
                 *       "message": "The store cannot reach its database; try again in a moment.",
                 *       "status": 503
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The limit that applies, of the window with the fewest requests left.
         * @example 60
         */
        "X-RateLimit-Limit": number;
        /**
         * @description Requests remaining in that window.
         * @example 59
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description Unix timestamp, in seconds, at which that limit resets.
         * @example 1796117460
         */
        "X-RateLimit-Reset": bigint;
        /**
         * @description How many requests the answer costs; of `HEAD`, how many `GET` would.
         * @example 12
         */
        "X-RateLimit-Cost": number;
        /**
         * @description The name of the file that a browser makes of it.
         * @example attachment; filename="pets.csv"
         */
        "Content-Disposition": string;
        /**
         * @description What is left in every window (`r`), and in how many seconds it resets (`t`), by the IETF draft.
         * @example "minute";r=59;t=41, "day";r=812;t=51234
         */
        Ratelimit: string;
        /**
         * @description How many requests (`q`) every window takes in how many seconds (`w`), by the IETF draft.
         * @example "minute";q=60;w=60, "day";q=1000;w=86400
         */
        "Ratelimit-Policy": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 41
         */
        "Retry-After": number;
        /**
         * @description The request's name in the service's log; send it along when you ask about an answer. Your own, where the request
         *     brings one of up to 128 letters, digits, dots, dashes and underscores.
         * @example 0d1f7a52-6c1e-4b0a-9f57-2f9b5d1c8e34
         */
        "X-Request-Id": string;
        /**
         * @description An answer is for the calling key alone and kept, if at all, only to ask whether it is still true; a refusal is
         *     kept nowhere.
         * @example private, no-cache
         */
        "Cache-Control": "private, no-cache" | "no-store";
        /** @description Browsers may read the answer from any origin. */
        "Access-Control-Allow-Origin": "*";
        /** @description The way to authenticate. */
        "WWW-Authenticate": "Bearer";
        /**
         * @description The address of the new animal.
         * @example http://localhost:4000/v1/pets/1
         */
        Location: string;
        /**
         * @description The address of the new order.
         * @example http://localhost:4000/v1/store/orders/12
         */
        OrderLocation: string;
        /**
         * @description The address of the category.
         * @example http://localhost:4000/v1/categories/7
         */
        CategoryLocation: string;
        /** @description There where nothing was added, since an earlier request with this Idempotency-Key did so. */
        "Idempotent-Replayed": "true";
        /**
         * @description The URL of the next page, with the filter and the limit kept; absent on the last page.
         * @example <http://localhost:4000/v1/pets?limit=20&cursor=djEuMjA>; rel="next"
         */
        NextPage: string;
        /**
         * @description Names what is answered, the link to the next page included, to ask with `If-None-Match` whether it is still the
         *     same. Weak, since the same comes packed or not.
         * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
         */
        Etag: string;
        /**
         * @description Names the animal as it is now; give it back as `If-Match` to change the animal only while it is so.
         * @example "nq1Vn0Uu1Y2sXb8l0y4m4w"
         */
        PetEtag: string;
        /** @description Since when the operation has been deprecated (RFC 9745), 1 November 2026. */
        Deprecation: "@1793491200";
        /** @description When the operation is removed (RFC 8594). */
        Sunset: "Thu, 05 Dec 2030 00:00:00 GMT";
        /**
         * @description What to use instead, and where the deprecation is described.
         * @example <http://localhost:4000/v1/pets>; rel="successor-version", <http://localhost:4000/openapi.yaml>; rel="deprecation"
         */
        Successor: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPets: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of animals returned.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Returns only animals with this availability status.
                 * @example available
                 */
                status?: components["schemas"]["PetStatus"];
                /**
                 * @description Returns only animals of this category.
                 * @example 7
                 */
                categoryId?: bigint;
                /**
                 * @description Returns only animals with this in their name, in any case. A page looks at 5,000 animals, so that it may hold
                 *     fewer than `limit`, or none, while `Link` leads on to more.
                 * @example bis
                 */
                name?: string;
                /**
                 * @description The order, by ascending `id`, or by descending `-id`, the newest first. A cursor is good for its own.
                 * @example id
                 */
                sort?: "id" | "-id";
                /**
                 * @description Where the page starts. Opaque: follow the URL of the `Link` header instead of composing it. A cursor that
                 *     the service did not hand out is a 400.
                 */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of animals. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Biscuit",
                     *         "categoryId": 7,
                     *         "status": "available"
                     *       },
                     *       {
                     *         "id": 2,
                     *         "name": "Nimbus",
                     *         "categoryId": 9223372036854776000
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Pets"];
                };
            };
            /** @description The client holds this very page already. */
            304: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same animal gets the same answer again
                 *     and adds nothing. With another animal it is a 422, and while the first request is still running a 409. Up to
                 *     255 characters of your choice, quoted or bare; a key counts within its project.
                 * @example "7c4a8d09-ca37-4e2f-9d1c-0f6b1c8e5a11"
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The animal to add. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPet"];
            };
        };
        responses: {
            /** @description The animal was added. */
            201: {
                headers: {
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    Etag: components["headers"]["PetEtag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Biscuit",
                     *       "categoryId": 7,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidPet"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInFlight"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedHost"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportPets: {
        parameters: {
            query?: {
                /**
                 * @description `ndjson` is an animal as JSON on each line; `csv` has the columns `id`, `name`, `categoryId` and `status` by
                 *     RFC 4180, with their names in the first line and nothing where there is no status.
                 * @example csv
                 */
                format?: "ndjson" | "csv";
                /**
                 * @description Exports only animals with this availability status.
                 * @example available
                 */
                status?: components["schemas"]["PetStatus"];
                /**
                 * @description Exports only animals of this category.
                 * @example 7
                 */
                categoryId?: bigint;
                /**
                 * @description Exports only animals with this in their name, in any case.
                 * @example bis
                 */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animals. */
            200: {
                headers: {
                    "X-RateLimit-Cost": components["headers"]["X-RateLimit-Cost"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {"id":1,"name":"Biscuit","categoryId":7,"status":"available"}
                     *     {"id":2,"name":"Nimbus","categoryId":9223372036854775807}
                     */
                    "application/x-ndjson": string;
                    /**
                     * @example id,name,categoryId,status
                     *     1,Biscuit,7,available
                     *     2,Nimbus,9223372036854775807,
                     */
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    importPets: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same animals gets the same answer again and
                 *     adds nothing, in whichever format they come. With others it is a 422, and while the first request is still
                 *     running a 409.
                 * @example "7c4a8d09-ca37-4e2f-9d1c-0f6b1c8e5a11"
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The animals to add, in UTF-8, with LF or CRLF; empty lines are passed over. */
        requestBody: {
            content: {
                /**
                 * @example {"name":"Biscuit","categoryId":7,"status":"available"}
                 *     {"name":"Nimbus","categoryId":9223372036854775807}
                 */
                "application/x-ndjson": string;
                /**
                 * @example name,categoryId,status
                 *     Biscuit,7,available
                 *     Nimbus,9223372036854775807,
                 */
                "text/csv": string;
            };
        };
        responses: {
            /** @description The animals were added. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Cost": components["headers"]["X-RateLimit-Cost"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "imported": 2,
                     *       "firstId": 3,
                     *       "lastId": 4
                     *     }
                     */
                    "application/json": components["schemas"]["Imported"];
                };
            };
            400: components["responses"]["InvalidImport"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["IdempotencyInFlight"];
            413: components["responses"]["ImportTooLarge"];
            415: components["responses"]["UnsupportedImport"];
            421: components["responses"]["MisdirectedHost"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example "nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The identifier of the animal. Whatever is not the id of one of your animals is a 404, so that ids tell a
                 *     stranger nothing, guessed or counted.
                 * @example 1
                 */
                petId: components["schemas"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal. */
            200: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Successor"];
                    Etag: components["headers"]["PetEtag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Biscuit",
                     *       "categoryId": 7,
                     *       "status": "available"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The client holds the animal as it is already. */
            304: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Successor"];
                    Etag: components["headers"]["PetEtag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description There is no such animal in your project. */
            404: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Successor"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "pet_not_found",
                     *       "message": "There is no pet 99.",
                     *       "status": 404
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /** @description The operation was removed on 5 December 2030. */
            410: {
                headers: {
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Successor"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "gone",
                     *       "message": "getPet was removed on 5 December 2030. List pets with the status filter instead.",
                     *       "status": 410
                     *     }
                     */
                    "application/json": components["schemas"]["Error"];
                };
            };
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the animal as you know it: if it has changed since, the answer is 412 and nothing is done, so
                 *     that nobody's change is lost.
                 * @example "nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The identifier of the animal. Whatever is not the id of one of your animals is a 404.
                 * @example 1
                 */
                petId: components["schemas"]["PetId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The animal is gone. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidCondition"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PetNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PetInOrder"];
            412: components["responses"]["PreconditionFailed"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    updatePet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the animal as you know it: if it has changed since, the answer is 412 and nothing is done, so
                 *     that nobody's change is lost.
                 * @example "nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description The identifier of the animal. Whatever is not the id of one of your animals is a 404.
                 * @example 1
                 */
                petId: components["schemas"]["PetId"];
            };
            cookie?: never;
        };
        /** @description What to change. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PetChange"];
            };
        };
        responses: {
            /** @description The animal as it is now. */
            200: {
                headers: {
                    Etag: components["headers"]["PetEtag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Biscuit",
                     *       "categoryId": 7,
                     *       "status": "sold"
                     *     }
                     */
                    "application/json": components["schemas"]["Pet"];
                };
            };
            400: components["responses"]["InvalidChange"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PetNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["PetInOrder"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInventory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many animals there are. */
            200: {
                headers: {
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "available": 12,
                     *       "pending": 3,
                     *       "sold": 40,
                     *       "unset": 1,
                     *       "total": 56
                     *     }
                     */
                    "application/json": components["schemas"]["Inventory"];
                };
            };
            /** @description The numbers are still the same. */
            304: {
                headers: {
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRateLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the project's limits. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RateLimit"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Suspended"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCategories: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of categories returned.
                 * @example 20
                 */
                limit?: number;
                /** @description Where the page starts. Opaque, follow the URL of the `Link` header instead of composing it. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of categories. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 1,
                     *         "name": "Dogs",
                     *         "petCount": 12
                     *       },
                     *       {
                     *         "id": 7,
                     *         "name": "Parrots",
                     *         "petCount": 3
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Categories"];
                };
            };
            /** @description The client holds this very page already. */
            304: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCategory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The number that pets bear as their `categoryId`.
                 * @example 7
                 */
                categoryId: components["schemas"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category. */
            200: {
                headers: {
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Parrots",
                     *       "petCount": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description The client holds the category as it is already. */
            304: {
                headers: {
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CategoryNotFound"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    setCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number that pets bear as their `categoryId`.
                 * @example 7
                 */
                categoryId: components["schemas"]["CategoryId"];
            };
            cookie?: never;
        };
        /** @description The name. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Parrots"
                 *     }
                 */
                "application/json": components["schemas"]["CategoryName"];
            };
        };
        responses: {
            /** @description The category has this name now. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Parrots",
                     *       "petCount": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            /** @description The category has a name for the first time. */
            201: {
                headers: {
                    Location: components["headers"]["CategoryLocation"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 7,
                     *       "name": "Parrots",
                     *       "petCount": 3
                     *     }
                     */
                    "application/json": components["schemas"]["Category"];
                };
            };
            400: components["responses"]["InvalidCategory"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CategoryNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeCategory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The number that pets bear as their `categoryId`.
                 * @example 7
                 */
                categoryId: components["schemas"]["CategoryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The category has no name any more. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["CategoryNotFound"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description Maximum number of orders returned.
                 * @example 20
                 */
                limit?: number;
                /**
                 * @description Returns only orders with this status.
                 * @example placed
                 */
                status?: components["schemas"]["OrderStatus"];
                /**
                 * @description Returns only orders of this animal.
                 * @example 1
                 */
                petId?: components["schemas"]["PetId"];
                /**
                 * @description Returns only the order with this reference.
                 * @example web-1042
                 */
                reference?: string;
                /** @description Where the page starts. Opaque, follow the URL of the `Link` header instead of composing it. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of orders. */
            200: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 12,
                     *         "petId": 1,
                     *         "categoryId": 7,
                     *         "petName": "Biscuit",
                     *         "status": "placed",
                     *         "reference": "web-1042",
                     *         "placedAt": "2026-12-01T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Orders"];
                };
            };
            /** @description The client holds this very page already. */
            304: {
                headers: {
                    Link: components["headers"]["NextPage"];
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidQuery"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: for 24 hours the same key with the same order gets the same answer again and
                 *     places nothing. With another order it is a 422, and while the first request is still running a 409.
                 * @example "7c4a8d09-ca37-4e2f-9d1c-0f6b1c8e5a11"
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description The order to place. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewOrder"];
            };
        };
        responses: {
            /** @description The order was placed. */
            201: {
                headers: {
                    Location: components["headers"]["OrderLocation"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "petId": 1,
                     *       "categoryId": 7,
                     *       "petName": "Biscuit",
                     *       "status": "placed",
                     *       "reference": "web-1042",
                     *       "placedAt": "2026-12-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["InvalidOrder"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PetNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["NotPlaced"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["MisdirectedHost"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the client holds; if it is still the same, the answer is 304.
                 * @example W/"nq1Vn0Uu1Y2sXb8l0y4m4w"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The identifier of the order. Whatever is not the id of one of your orders is a 404.
                 * @example 12
                 */
                orderId: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "petId": 1,
                     *       "categoryId": 7,
                     *       "petName": "Biscuit",
                     *       "status": "placed",
                     *       "reference": "web-1042",
                     *       "placedAt": "2026-12-01T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            /** @description The client holds the order as it is already. */
            304: {
                headers: {
                    Etag: components["headers"]["Etag"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OrderNotFound"];
            408: components["responses"]["RequestTimeout"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the order. Whatever is not the id of one of your orders is a 404.
                 * @example 12
                 */
                orderId: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "petId": 1,
                     *       "categoryId": 7,
                     *       "petName": "Biscuit",
                     *       "status": "approved",
                     *       "reference": "web-1042",
                     *       "placedAt": "2026-12-01T09:30:00.000Z",
                     *       "approvedAt": "2026-12-01T09:40:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OrderNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OrderState"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    deliverOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the order. Whatever is not the id of one of your orders is a 404.
                 * @example 12
                 */
                orderId: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "petId": 1,
                     *       "categoryId": 7,
                     *       "petName": "Biscuit",
                     *       "status": "delivered",
                     *       "reference": "web-1042",
                     *       "placedAt": "2026-12-01T09:30:00.000Z",
                     *       "approvedAt": "2026-12-01T09:40:00.000Z",
                     *       "deliveredAt": "2026-12-05T16:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OrderNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OrderState"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The identifier of the order. Whatever is not the id of one of your orders is a 404.
                 * @example 12
                 */
                orderId: components["schemas"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order as it is now. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Ratelimit: components["headers"]["Ratelimit"];
                    "Ratelimit-Policy": components["headers"]["Ratelimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "petId": 1,
                     *       "categoryId": 7,
                     *       "petName": "Biscuit",
                     *       "status": "cancelled",
                     *       "reference": "web-1042",
                     *       "placedAt": "2026-12-01T09:30:00.000Z",
                     *       "cancelledAt": "2026-12-02T10:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["OrderNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: components["responses"]["OrderState"];
            421: components["responses"]["MisdirectedHost"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["Unavailable"];
        };
    };
}
