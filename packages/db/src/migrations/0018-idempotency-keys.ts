import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Idempotency keys with the responses of the requests that they came with. A request that is one transaction stores its key in that transaction; meanwhile,
 * advisory locks stand for it. A request that also calls the identity provider or the storage commits a claim first, which expires if the process dies.
 */
export const idempotencyKeys: Migration = {
  async up(db) {
    await sql`
      create table idempotency_keys (
        actor_kind    text not null,
        actor_id      uuid not null,
        key           text not null,
        -- SHA-256 of the operation, the active tenant and the validated input.
        fingerprint   bytea not null,
        -- Set while a request with a claim runs.
        claim_id      uuid,
        claimed_until timestamptz(3),
        -- The response: null while a request runs.
        status        smallint,
        etag          text,
        body          json,
        -- Size of the body in bytes.
        size          integer not null default 0,
        expires_at    timestamptz(3) not null,
        constraint idempotency_keys_pkey primary key (actor_kind, actor_id, key)
      );
      create index idempotency_keys_expires_at_idx on idempotency_keys (expires_at);

      -- Keeps the newest 10,000 keys of an actor, and not more than 64 MiB of responses.
      create function trim_idempotency_keys(kind text, id uuid) returns void language plpgsql as $$
        declare
          newest_to_delete record;
        begin
          select expires_at, key into newest_to_delete from (
            select expires_at, key, row_number() over newest_first as place, sum(size) over newest_first as bytes
            from idempotency_keys where actor_kind = kind and actor_id = id
            window newest_first as (order by expires_at desc, key rows unbounded preceding)
          ) as stored
          where place > 10000 or bytes > 64 * 1024 * 1024 order by expires_at desc, key limit 1;
          if found then
            delete from idempotency_keys where actor_kind = kind and actor_id = id and (
              expires_at < newest_to_delete.expires_at or expires_at = newest_to_delete.expires_at and key >= newest_to_delete.key
            );
          end if;
        end
      $$;

      -- Claims a key. The outcome is CLAIMED; REPLAYED with the stored response; IN_PROGRESS while a request with the same input runs; or REUSED if the key
      -- came with another input. With a claim id the claim outlives the transaction.
      create function claim_idempotency_key(
        kind text, id uuid, claimed_key text, input bytea, new_claim_id uuid, lease interval,
        out outcome text, out status smallint, out etag text, out body json
      ) language plpgsql as $$
        declare
          -- A running request holds both locks. Their names tell whether it has the same input.
          lock_of_key constant bigint := hashtextextended('idempotency_key ' || kind || id || claimed_key, 0);
          lock_of_input constant bigint := hashtextextended('idempotency_key ' || kind || id || claimed_key || encode(input, 'hex'), 0);
          stored idempotency_keys;
        begin
          for attempt in 1 .. 20 loop
            exit when pg_try_advisory_xact_lock(lock_of_key);
            if exists (
              select from pg_locks
              where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()) and granted
                and classid = (lock_of_input >> 32 & 4294967295)::oid and objid = (lock_of_input & 4294967295)::oid and objsubid = 1
            ) then
              outcome := 'IN_PROGRESS';
              return;
            end if;
            if attempt = 20 then
              outcome := 'REUSED';
              return;
            end if;
            -- The other request may have ended between the two checks, or may hold only the first lock so far.
            perform pg_sleep(0.002);
          end loop;
          perform pg_advisory_xact_lock(lock_of_input);

          select * into stored from idempotency_keys where actor_kind = kind and actor_id = id and key = claimed_key and expires_at > clock_timestamp();
          if stored.status is not null or stored.claimed_until > clock_timestamp() then
            if stored.fingerprint <> input then
              outcome := 'REUSED';
            elsif stored.status is null then
              outcome := 'IN_PROGRESS';
            else
              outcome := 'REPLAYED';
              status := stored.status;
              etag := stored.etag;
              body := stored.body;
            end if;
            return;
          end if;

          outcome := 'CLAIMED';
          if new_claim_id is not null then
            insert into idempotency_keys (actor_kind, actor_id, key, fingerprint, claim_id, claimed_until, expires_at)
              values (kind, id, claimed_key, input, new_claim_id, clock_timestamp() + lease, clock_timestamp() + interval '24 hours')
              on conflict on constraint idempotency_keys_pkey do update set
                fingerprint = excluded.fingerprint, claim_id = excluded.claim_id, claimed_until = excluded.claimed_until,
                expires_at = excluded.expires_at, status = null, etag = null, body = null, size = 0;
          end if;
          -- The average cost is low, and the limits are exceeded by few keys.
          if random() < 0.01 then
            perform trim_idempotency_keys(kind, id);
          end if;
        end
      $$;

      -- Stores the response of a request. Returns false if its claim has expired and another request has taken it.
      create function store_idempotent_response(
        kind text, id uuid, claimed_key text, input bytea, own_claim_id uuid, new_status smallint, new_etag text, new_body text
      ) returns boolean language plpgsql as $$
        begin
          if own_claim_id is not null then
            update idempotency_keys set
              claim_id = null, claimed_until = null, status = new_status, etag = new_etag, body = new_body::json, size = octet_length(new_body)
              where actor_kind = kind and actor_id = id and key = claimed_key and claim_id = own_claim_id;
            return found;
          end if;
          insert into idempotency_keys (actor_kind, actor_id, key, fingerprint, status, etag, body, size, expires_at)
            values (kind, id, claimed_key, input, new_status, new_etag, new_body::json, octet_length(new_body), clock_timestamp() + interval '24 hours')
            on conflict on constraint idempotency_keys_pkey do update set
              fingerprint = excluded.fingerprint, claim_id = null, claimed_until = null, status = excluded.status, etag = excluded.etag,
              body = excluded.body, size = excluded.size, expires_at = excluded.expires_at;
          return true;
        end
      $$;
    `.execute(db);
  },
};
