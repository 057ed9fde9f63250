-- Guards of the ledger and of what moderators prepare, by table. The file can be run again: it makes every guard what it
-- says here, and removes none. moot_refuse, moot_only_blanks and moot_fixed are those of debates/sql/guards.sql.
--
-- Log first: an entry is inserted; `moot_entry_append` locks the evaluation, derives what the database can derive,
-- compares the rest with what the kind allows, and chains the hash; `moot_entry_project` carries the entry over to the
-- evaluation; `moot_evaluation_guard` accepts a change of an evaluation only when it equals the newest entry.
-- What f(initial, basis) gives is computed by the service and proved from the facts by `manage.py verify_ledger`.
-- Every function fixes its search_path with pg_temp last, so that no temporary table can stand in for a real one.

CREATE OR REPLACE FUNCTION moot_sorted(numbers bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(array_agg(DISTINCT n ORDER BY n), '{}') FROM unnest(numbers) AS n
$$;

CREATE OR REPLACE FUNCTION moot_without(numbers bigint[], gone bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(array_agg(n ORDER BY n), '{}') FROM unnest(numbers) AS n WHERE n <> ALL (gone)
$$;

-- What a person sees of a text: runs of blank or invisible characters count as one space, at the ends as nothing. Invisible
-- are controls, formats, separators, what Unicode 14 calls default ignorable, has not assigned or leaves to private use, and
-- three that are drawn as nothing: U+2800, U+16FE4, U+1D159.
CREATE OR REPLACE FUNCTION moot_seen(words text) RETURNS text LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT btrim(regexp_replace(words, '['
    '\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u0378-\u0379\u0380-\u0383\u038b\u038d\u03a2\u0530\u0557-\u0558'
    '\u058b-\u058c\u0590\u05c8-\u05cf\u05eb-\u05ee\u05f5-\u0605\u061c\u06dd\u070e-\u070f\u074b-\u074c\u07b2-\u07bf'
    '\u07fb-\u07fc\u082e-\u082f\u083f\u085c-\u085d\u085f\u086b-\u086f\u088f-\u0897\u08e2\u0984\u098d-\u098e'
    '\u0991-\u0992\u09a9\u09b1\u09b3-\u09b5\u09ba-\u09bb\u09c5-\u09c6\u09c9-\u09ca\u09cf-\u09d6\u09d8-\u09db\u09de'
    '\u09e4-\u09e5\u09ff-\u0a00\u0a04\u0a0b-\u0a0e\u0a11-\u0a12\u0a29\u0a31\u0a34\u0a37\u0a3a-\u0a3b\u0a3d'
    '\u0a43-\u0a46\u0a49-\u0a4a\u0a4e-\u0a50\u0a52-\u0a58\u0a5d\u0a5f-\u0a65\u0a77-\u0a80\u0a84\u0a8e\u0a92\u0aa9'
    '\u0ab1\u0ab4\u0aba-\u0abb\u0ac6\u0aca\u0ace-\u0acf\u0ad1-\u0adf\u0ae4-\u0ae5\u0af2-\u0af8\u0b00\u0b04'
    '\u0b0d-\u0b0e\u0b11-\u0b12\u0b29\u0b31\u0b34\u0b3a-\u0b3b\u0b45-\u0b46\u0b49-\u0b4a\u0b4e-\u0b54\u0b58-\u0b5b'
    '\u0b5e\u0b64-\u0b65\u0b78-\u0b81\u0b84\u0b8b-\u0b8d\u0b91\u0b96-\u0b98\u0b9b\u0b9d\u0ba0-\u0ba2\u0ba5-\u0ba7'
    '\u0bab-\u0bad\u0bba-\u0bbd\u0bc3-\u0bc5\u0bc9\u0bce-\u0bcf\u0bd1-\u0bd6\u0bd8-\u0be5\u0bfb-\u0bff\u0c0d\u0c11'
    '\u0c29\u0c3a-\u0c3b\u0c45\u0c49\u0c4e-\u0c54\u0c57\u0c5b-\u0c5c\u0c5e-\u0c5f\u0c64-\u0c65\u0c70-\u0c76\u0c8d'
    '\u0c91\u0ca9\u0cb4\u0cba-\u0cbb\u0cc5\u0cc9\u0cce-\u0cd4\u0cd7-\u0cdc\u0cdf\u0ce4-\u0ce5\u0cf0\u0cf3-\u0cff'
    '\u0d0d\u0d11\u0d45\u0d49\u0d50-\u0d53\u0d64-\u0d65\u0d80\u0d84\u0d97-\u0d99\u0db2\u0dbc\u0dbe-\u0dbf'
    '\u0dc7-\u0dc9\u0dcb-\u0dce\u0dd5\u0dd7\u0de0-\u0de5\u0df0-\u0df1\u0df5-\u0e00\u0e3b-\u0e3e\u0e5c-\u0e80\u0e83'
    '\u0e85\u0e8b\u0ea4\u0ea6\u0ebe-\u0ebf\u0ec5\u0ec7\u0ece-\u0ecf\u0eda-\u0edb\u0ee0-\u0eff\u0f48\u0f6d-\u0f70'
    '\u0f98\u0fbd\u0fcd\u0fdb-\u0fff\u10c6\u10c8-\u10cc\u10ce-\u10cf\u115f-\u1160\u1249\u124e-\u124f\u1257\u1259'
    '\u125e-\u125f\u1289\u128e-\u128f\u12b1\u12b6-\u12b7\u12bf\u12c1\u12c6-\u12c7\u12d7\u1311\u1316-\u1317'
    '\u135b-\u135c\u137d-\u137f\u139a-\u139f\u13f6-\u13f7\u13fe-\u13ff\u1680\u169d-\u169f\u16f9-\u16ff\u1716-\u171e'
    '\u1737-\u173f\u1754-\u175f\u176d\u1771\u1774-\u177f\u17b4-\u17b5\u17de-\u17df\u17ea-\u17ef\u17fa-\u17ff'
    '\u180b-\u180f\u181a-\u181f\u1879-\u187f\u18ab-\u18af\u18f6-\u18ff\u191f\u192c-\u192f\u193c-\u193f\u1941-\u1943'
    '\u196e-\u196f\u1975-\u197f\u19ac-\u19af\u19ca-\u19cf\u19db-\u19dd\u1a1c-\u1a1d\u1a5f\u1a7d-\u1a7e\u1a8a-\u1a8f'
    '\u1a9a-\u1a9f\u1aae-\u1aaf\u1acf-\u1aff\u1b4d-\u1b4f\u1b7f\u1bf4-\u1bfb\u1c38-\u1c3a\u1c4a-\u1c4c\u1c89-\u1c8f'
    '\u1cbb-\u1cbc\u1cc8-\u1ccf\u1cfb-\u1cff\u1f16-\u1f17\u1f1e-\u1f1f\u1f46-\u1f47\u1f4e-\u1f4f\u1f58\u1f5a\u1f5c'
    '\u1f5e\u1f7e-\u1f7f\u1fb5\u1fc5\u1fd4-\u1fd5\u1fdc\u1ff0-\u1ff1\u1ff5\u1fff-\u200f\u2028-\u202f\u205f-\u206f'
    '\u2072-\u2073\u208f\u209d-\u209f\u20c1-\u20cf\u20f1-\u20ff\u218c-\u218f\u2427-\u243f\u244b-\u245f\u2800'
    '\u2b74-\u2b75\u2b96\u2cf4-\u2cf8\u2d26\u2d28-\u2d2c\u2d2e-\u2d2f\u2d68-\u2d6e\u2d71-\u2d7e\u2d97-\u2d9f\u2da7'
    '\u2daf\u2db7\u2dbf\u2dc7\u2dcf\u2dd7\u2ddf\u2e5e-\u2e7f\u2e9a\u2ef4-\u2eff\u2fd6-\u2fef\u2ffc-\u3000\u3040'
    '\u3097-\u3098\u3100-\u3104\u3130\u3164\u318f\u31e4-\u31ef\u321f\ua48d-\ua48f\ua4c7-\ua4cf\ua62c-\ua63f'
    '\ua6f8-\ua6ff\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da-\ua7f1\ua82d-\ua82f\ua83a-\ua83f\ua878-\ua87f\ua8c6-\ua8cd'
    '\ua8da-\ua8df\ua954-\ua95e\ua97d-\ua97f\ua9ce\ua9da-\ua9dd\ua9ff\uaa37-\uaa3f\uaa4e-\uaa4f\uaa5a-\uaa5b'
    '\uaac3-\uaada\uaaf7-\uab00\uab07-\uab08\uab0f-\uab10\uab17-\uab1f\uab27\uab2f\uab6c-\uab6f\uabee-\uabef'
    '\uabfa-\uabff\ud7a4-\ud7af\ud7c7-\ud7ca\ud7fc-\uf8ff\ufa6e-\ufa6f\ufada-\ufaff\ufb07-\ufb12\ufb18-\ufb1c\ufb37'
    '\ufb3d\ufb3f\ufb42\ufb45\ufbc3-\ufbd2\ufd90-\ufd91\ufdc8-\ufdce\ufdd0-\ufdef\ufe00-\ufe0f\ufe1a-\ufe1f\ufe53'
    '\ufe67\ufe6c-\ufe6f\ufe75\ufefd-\uff00\uffa0\uffbf-\uffc1\uffc8-\uffc9\uffd0-\uffd1\uffd8-\uffd9\uffdd-\uffdf'
    '\uffe7\uffef-\ufffb\ufffe-\uffff\U0001000c\U00010027\U0001003b\U0001003e\U0001004e-\U0001004f'
    '\U0001005e-\U0001007f\U000100fb-\U000100ff\U00010103-\U00010106\U00010134-\U00010136\U0001018f'
    '\U0001019d-\U0001019f\U000101a1-\U000101cf\U000101fe-\U0001027f\U0001029d-\U0001029f\U000102d1-\U000102df'
    '\U000102fc-\U000102ff\U00010324-\U0001032c\U0001034b-\U0001034f\U0001037b-\U0001037f\U0001039e'
    '\U000103c4-\U000103c7\U000103d6-\U000103ff\U0001049e-\U0001049f\U000104aa-\U000104af\U000104d4-\U000104d7'
    '\U000104fc-\U000104ff\U00010528-\U0001052f\U00010564-\U0001056e\U0001057b\U0001058b\U00010593\U00010596'
    '\U000105a2\U000105b2\U000105ba\U000105bd-\U000105ff\U00010737-\U0001073f\U00010756-\U0001075f'
    '\U00010768-\U0001077f\U00010786\U000107b1\U000107bb-\U000107ff\U00010806-\U00010807\U00010809\U00010836'
    '\U00010839-\U0001083b\U0001083d-\U0001083e\U00010856\U0001089f-\U000108a6\U000108b0-\U000108df\U000108f3'
    '\U000108f6-\U000108fa\U0001091c-\U0001091e\U0001093a-\U0001093e\U00010940-\U0001097f\U000109b8-\U000109bb'
    '\U000109d0-\U000109d1\U00010a04\U00010a07-\U00010a0b\U00010a14\U00010a18\U00010a36-\U00010a37'
    '\U00010a3b-\U00010a3e\U00010a49-\U00010a4f\U00010a59-\U00010a5f\U00010aa0-\U00010abf\U00010ae7-\U00010aea'
    '\U00010af7-\U00010aff\U00010b36-\U00010b38\U00010b56-\U00010b57\U00010b73-\U00010b77\U00010b92-\U00010b98'
    '\U00010b9d-\U00010ba8\U00010bb0-\U00010bff\U00010c49-\U00010c7f\U00010cb3-\U00010cbf\U00010cf3-\U00010cf9'
    '\U00010d28-\U00010d2f\U00010d3a-\U00010e5f\U00010e7f\U00010eaa\U00010eae-\U00010eaf\U00010eb2-\U00010eff'
    '\U00010f28-\U00010f2f\U00010f5a-\U00010f6f\U00010f8a-\U00010faf\U00010fcc-\U00010fdf\U00010ff7-\U00010fff'
    '\U0001104e-\U00011051\U00011076-\U0001107e\U000110bd\U000110c3-\U000110cf\U000110e9-\U000110ef'
    '\U000110fa-\U000110ff\U00011135\U00011148-\U0001114f\U00011177-\U0001117f\U000111e0\U000111f5-\U000111ff'
    '\U00011212\U0001123f-\U0001127f\U00011287\U00011289\U0001128e\U0001129e\U000112aa-\U000112af'
    '\U000112eb-\U000112ef\U000112fa-\U000112ff\U00011304\U0001130d-\U0001130e\U00011311-\U00011312\U00011329'
    '\U00011331\U00011334\U0001133a\U00011345-\U00011346\U00011349-\U0001134a\U0001134e-\U0001134f'
    '\U00011351-\U00011356\U00011358-\U0001135c\U00011364-\U00011365\U0001136d-\U0001136f\U00011375-\U000113ff'
    '\U0001145c\U00011462-\U0001147f\U000114c8-\U000114cf\U000114da-\U0001157f\U000115b6-\U000115b7'
    '\U000115de-\U000115ff\U00011645-\U0001164f\U0001165a-\U0001165f\U0001166d-\U0001167f\U000116ba-\U000116bf'
    '\U000116ca-\U000116ff\U0001171b-\U0001171c\U0001172c-\U0001172f\U00011747-\U000117ff\U0001183c-\U0001189f'
    '\U000118f3-\U000118fe\U00011907-\U00011908\U0001190a-\U0001190b\U00011914\U00011917\U00011936'
    '\U00011939-\U0001193a\U00011947-\U0001194f\U0001195a-\U0001199f\U000119a8-\U000119a9\U000119d8-\U000119d9'
    '\U000119e5-\U000119ff\U00011a48-\U00011a4f\U00011aa3-\U00011aaf\U00011af9-\U00011bff\U00011c09\U00011c37'
    '\U00011c46-\U00011c4f\U00011c6d-\U00011c6f\U00011c90-\U00011c91\U00011ca8\U00011cb7-\U00011cff\U00011d07'
    '\U00011d0a\U00011d37-\U00011d39\U00011d3b\U00011d3e\U00011d48-\U00011d4f\U00011d5a-\U00011d5f\U00011d66'
    '\U00011d69\U00011d8f\U00011d92\U00011d99-\U00011d9f\U00011daa-\U00011edf\U00011ef9-\U00011faf'
    '\U00011fb1-\U00011fbf\U00011ff2-\U00011ffe\U0001239a-\U000123ff\U0001246f\U00012475-\U0001247f'
    '\U00012544-\U00012f8f\U00012ff3-\U00012fff\U0001342f-\U000143ff\U00014647-\U000167ff\U00016a39-\U00016a3f'
    '\U00016a5f\U00016a6a-\U00016a6d\U00016abf\U00016aca-\U00016acf\U00016aee-\U00016aef\U00016af6-\U00016aff'
    '\U00016b46-\U00016b4f\U00016b5a\U00016b62\U00016b78-\U00016b7c\U00016b90-\U00016e3f\U00016e9b-\U00016eff'
    '\U00016f4b-\U00016f4e\U00016f88-\U00016f8e\U00016fa0-\U00016fdf\U00016fe4-\U00016fef\U00016ff2-\U00016fff'
    '\U000187f8-\U000187ff\U00018cd6-\U00018cff\U00018d09-\U0001afef\U0001aff4\U0001affc\U0001afff'
    '\U0001b123-\U0001b14f\U0001b153-\U0001b163\U0001b168-\U0001b16f\U0001b2fc-\U0001bbff\U0001bc6b-\U0001bc6f'
    '\U0001bc7d-\U0001bc7f\U0001bc89-\U0001bc8f\U0001bc9a-\U0001bc9b\U0001bca0-\U0001ceff\U0001cf2e-\U0001cf2f'
    '\U0001cf47-\U0001cf4f\U0001cfc4-\U0001cfff\U0001d0f6-\U0001d0ff\U0001d127-\U0001d128\U0001d159'
    '\U0001d173-\U0001d17a\U0001d1eb-\U0001d1ff\U0001d246-\U0001d2df\U0001d2f4-\U0001d2ff\U0001d357-\U0001d35f'
    '\U0001d379-\U0001d3ff\U0001d455\U0001d49d\U0001d4a0-\U0001d4a1\U0001d4a3-\U0001d4a4\U0001d4a7-\U0001d4a8'
    '\U0001d4ad\U0001d4ba\U0001d4bc\U0001d4c4\U0001d506\U0001d50b-\U0001d50c\U0001d515\U0001d51d\U0001d53a\U0001d53f'
    '\U0001d545\U0001d547-\U0001d549\U0001d551\U0001d6a6-\U0001d6a7\U0001d7cc-\U0001d7cd\U0001da8c-\U0001da9a'
    '\U0001daa0\U0001dab0-\U0001deff\U0001df1f-\U0001dfff\U0001e007\U0001e019-\U0001e01a\U0001e022\U0001e025'
    '\U0001e02b-\U0001e0ff\U0001e12d-\U0001e12f\U0001e13e-\U0001e13f\U0001e14a-\U0001e14d\U0001e150-\U0001e28f'
    '\U0001e2af-\U0001e2bf\U0001e2fa-\U0001e2fe\U0001e300-\U0001e7df\U0001e7e7\U0001e7ec\U0001e7ef\U0001e7ff'
    '\U0001e8c5-\U0001e8c6\U0001e8d7-\U0001e8ff\U0001e94c-\U0001e94f\U0001e95a-\U0001e95d\U0001e960-\U0001ec70'
    '\U0001ecb5-\U0001ed00\U0001ed3e-\U0001edff\U0001ee04\U0001ee20\U0001ee23\U0001ee25-\U0001ee26\U0001ee28'
    '\U0001ee33\U0001ee38\U0001ee3a\U0001ee3c-\U0001ee41\U0001ee43-\U0001ee46\U0001ee48\U0001ee4a\U0001ee4c\U0001ee50'
    '\U0001ee53\U0001ee55-\U0001ee56\U0001ee58\U0001ee5a\U0001ee5c\U0001ee5e\U0001ee60\U0001ee63\U0001ee65-\U0001ee66'
    '\U0001ee6b\U0001ee73\U0001ee78\U0001ee7d\U0001ee7f\U0001ee8a\U0001ee9c-\U0001eea0\U0001eea4\U0001eeaa'
    '\U0001eebc-\U0001eeef\U0001eef2-\U0001efff\U0001f02c-\U0001f02f\U0001f094-\U0001f09f\U0001f0af-\U0001f0b0'
    '\U0001f0c0\U0001f0d0\U0001f0f6-\U0001f0ff\U0001f1ae-\U0001f1e5\U0001f203-\U0001f20f\U0001f23c-\U0001f23f'
    '\U0001f249-\U0001f24f\U0001f252-\U0001f25f\U0001f266-\U0001f2ff\U0001f6d8-\U0001f6dc\U0001f6ed-\U0001f6ef'
    '\U0001f6fd-\U0001f6ff\U0001f774-\U0001f77f\U0001f7d9-\U0001f7df\U0001f7ec-\U0001f7ef\U0001f7f1-\U0001f7ff'
    '\U0001f80c-\U0001f80f\U0001f848-\U0001f84f\U0001f85a-\U0001f85f\U0001f888-\U0001f88f\U0001f8ae-\U0001f8af'
    '\U0001f8b2-\U0001f8ff\U0001fa54-\U0001fa5f\U0001fa6e-\U0001fa6f\U0001fa75-\U0001fa77\U0001fa7d-\U0001fa7f'
    '\U0001fa87-\U0001fa8f\U0001faad-\U0001faaf\U0001fabb-\U0001fabf\U0001fac6-\U0001facf\U0001fada-\U0001fadf'
    '\U0001fae8-\U0001faef\U0001faf7-\U0001faff\U0001fb93\U0001fbcb-\U0001fbef\U0001fbfa-\U0001ffff'
    '\U0002a6e0-\U0002a6ff\U0002b739-\U0002b73f\U0002b81e-\U0002b81f\U0002cea2-\U0002ceaf\U0002ebe1-\U0002f7ff'
    '\U0002fa1e-\U0002ffff\U0003134b-\U0010ffff'
    ']+', ' ', 'g'))
$$;

-- These two have no search_path of their own: to set it takes longer than what they do, and who calls them has set it.
CREATE OR REPLACE FUNCTION moot_micro(amount numeric) RETURNS text LANGUAGE sql IMMUTABLE
AS $$ SELECT (amount * 1000000)::bigint::text $$;
CREATE OR REPLACE FUNCTION moot_digest(words text) RETURNS text LANGUAGE sql IMMUTABLE
AS $$ SELECT encode(sha256(convert_to(words, 'UTF8')), 'hex') $$;

-- One line per fact that counts or is held, in integers, so that a changed fact breaks the chain.
CREATE OR REPLACE FUNCTION moot_facts_hash_v1(wanted bigint[]) RETURNS bytea LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT sha256(convert_to(coalesce(string_agg(array_to_string(ARRAY[
      f.id::text, f.kind, f.round_id::text, f.run_number::text, f.participant_id::text,
      (f.amount * 1000000)::bigint::text, (f.impact * 1000000)::bigint::text, (f.weight * 1000000)::bigint::text,
      (extract(epoch FROM f.at) * 1000000)::bigint::text, moot_digest(f.parts::text)], '|', '~'),
      E'\n' ORDER BY f.id), ''), 'UTF8'))
  FROM scoring_fact f WHERE f.id = ANY (wanted)
$$;

-- Whose score it is, how it weighs, and the parameters of f; the name is left out, because erasure may need it.
CREATE OR REPLACE FUNCTION moot_account_hash_v1(e scoring_evaluation, parameters text) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT moot_digest(array_to_string(ARRAY[
    e.public_id::text, e.debate_id::text, e.thread_id::text, e.participant_id::text, e.instrument, moot_digest(e.key),
    moot_digest(e.category), moot_micro(e.weight), e.position::text, moot_digest(parameters)], '|', '~'))
$$;

-- The hash of an entry: integers, words of our own and hex digests, joined by '|', with '~' where there is nothing.
CREATE OR REPLACE FUNCTION moot_entry_hash_v1(previous bytea, e scoring_scorechange, account text, reason_digest text) RETURNS bytea
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT sha256(previous || convert_to(array_to_string(ARRAY[
    'v1', e.evaluation_id::text, account, e.sequence::text, e.kind,
    moot_micro(e.initial_score), moot_micro(e.value_before), moot_micro(e.value_after),
    moot_micro(e.confidence_before), moot_micro(e.confidence_after),
    moot_micro(e.computed_before), moot_micro(e.computed_after),
    e.run_number::text, e.basis::text, e.held::text, moot_micro(e.override_after),
    e.frozen_before::int::text, e.frozen_after::int::text, e.counted_after::int::text, e.complete_after::int::text,
    e.rounds_after::text, e.round_id::text, e.facts::text, encode(e.facts_hash, 'hex'),
    moot_micro(e.raw_sum), moot_micro(e.cumulative_raw), moot_micro(e.capped_net), e.held_choice,
    e.target_sequence::text, e.actor_kind, e.actor_id::text,
    moot_digest(e.reason_code), reason_digest, (extract(epoch FROM e.at) * 1000000)::bigint::text,
    moot_digest(e.idempotency_key)], '|', '~'), 'UTF8'))
$$;

-- erasure
-- Words that are fixed otherwise may go in the transaction that writes an erasure of them, and only there; what stands in
-- their place is known. The app role may not write an erasure. Its time is that of its transaction: no row of an earlier
-- one, or of a backup, carries it.

-- Of which debates words are erased now: all (no participant is named), or those of one participant.
CREATE OR REPLACE FUNCTION moot_erased(OUT debate_id bigint, OUT participant_id bigint) RETURNS SETOF record
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT x.debate_id, x.participant_id FROM scoring_erasure x
    WHERE x.at = transaction_timestamp() AND x.scope IN ('debate', 'participant')
  UNION ALL SELECT p.debate_id, p.id FROM scoring_erasure x JOIN debates_participant p ON p.user_id = x.user_id
    WHERE x.at = transaction_timestamp() AND x.scope = 'user'
$$;

CREATE OR REPLACE FUNCTION moot_erases(debate bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM moot_erased() e WHERE e.debate_id = debate)
$$;

CREATE OR REPLACE FUNCTION moot_erases_all_of(debate bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM moot_erased() e WHERE e.debate_id = debate AND e.participant_id IS NULL)
$$;

CREATE OR REPLACE FUNCTION moot_erases_voice(participant bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM debates_participant p JOIN moot_erased() e ON e.debate_id = p.debate_id
    WHERE p.id = participant AND coalesce(e.participant_id, p.id) = p.id)
$$;

-- What stands for a name: which voice of its debate it was. Where another is called so it is counted on past all voices,
-- so that no two come to one number.
CREATE OR REPLACE FUNCTION moot_nameless(participant bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT format('[erased %s]', number) FROM (
    SELECT p.debate_id, count(*) AS voices, count(*) FILTER (WHERE (q.position, q.id) <= (p.position, p.id)) AS place
    FROM debates_participant p JOIN debates_participant q ON q.debate_id = p.debate_id WHERE p.id = participant GROUP BY p.id
  ) AS voice, generate_series(place, place + voices * voices, voices) AS number
  WHERE NOT EXISTS (SELECT FROM debates_participant q
    WHERE q.debate_id = voice.debate_id AND q.id <> participant AND q.name = format('[erased %s]', number))
  ORDER BY number LIMIT 1
$$;

-- The names that go from the documents of a debate, each with what stands for it. Judges of panels have none of their own.
CREATE OR REPLACE FUNCTION moot_erased_names(debate bigint) RETURNS jsonb LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce(jsonb_object_agg(p.name, moot_nameless(p.id)), '{}') FROM debates_participant p
  WHERE p.debate_id = debate AND p.role <> 'judge' AND p.name !~ '^\[erased [0-9]+\]$' AND moot_erases_voice(p.id)
$$;

-- A set-up, or numbers of closing words, with these names replaced wherever names stand: a setting may be called the same.
CREATE OR REPLACE FUNCTION moot_renamed(document jsonb, names jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  part text;
BEGIN
  IF document #> '{table,chairs}' IS NOT NULL THEN
    document := jsonb_set(document, '{table,chairs}', (
      SELECT coalesce(jsonb_agg((SELECT jsonb_object_agg(key,
          CASE WHEN key IN ('name', 'side') THEN moot_called(value, names) ELSE value END) FROM jsonb_each(chair)) ORDER BY place), '[]')
      FROM jsonb_array_elements(document #> '{table,chairs}') WITH ORDINALITY AS a(chair, place)));
  END IF;
  IF document #> '{table,order}' IS NOT NULL THEN
    document := jsonb_set(document, '{table,order}', (
      SELECT coalesce(jsonb_agg(moot_called(speakers, names) ORDER BY place), '[]')
      FROM jsonb_array_elements(document #> '{table,order}') WITH ORDINALITY AS a(speakers, place)));
  END IF;
  FOREACH part IN ARRAY ARRAY['scores', 'states', 'adherence'] LOOP
    IF jsonb_typeof(document -> part) = 'object' THEN
      document := jsonb_set(document, ARRAY[part], (
        SELECT coalesce(jsonb_object_agg(coalesce(names ->> key, key), value), '{}') FROM jsonb_each(document -> part)));
    END IF;
  END LOOP;
  FOREACH part IN ARRAY ARRAY['winner', 'surrendered'] LOOP
    IF document ? part THEN
      document := jsonb_set(document, ARRAY[part], moot_called(document -> part, names));
    END IF;
  END LOOP;
  RETURN document;
END $$;

-- A name, or a list of names, with these replaced.
CREATE OR REPLACE FUNCTION moot_called(called jsonb, names jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE jsonb_typeof(called)
    WHEN 'string' THEN coalesce(names -> (called #>> '{}'), called)
    WHEN 'array' THEN (SELECT coalesce(jsonb_agg(coalesce(names -> (name #>> '{}'), name) ORDER BY place), '[]')
      FROM jsonb_array_elements(called) WITH ORDINALITY AS a(name, place))
    ELSE called END
$$;

-- Whether an erasure takes the words of a row whose words are its own.
CREATE OR REPLACE FUNCTION moot_erases_row(name text, words jsonb) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  row_id bigint := words ->> 'id';
  debate bigint := words ->> 'debate_id';
BEGIN
  CASE name
    WHEN 'judging_call' THEN
      -- What a provider answered goes with time, too, once nothing is played from it any more: see retain. That the debate
      -- has been over for a day says its log, which nobody rewrites; an hour less, for clocks that differ.
      RETURN moot_erases(debate)
        OR EXISTS (SELECT FROM debates_debate d, LATERAL (
             SELECT e.type, e.at FROM debates_event e WHERE e.debate_id = d.id
               AND e.type IN ('debate:concluded', 'debate:cancelled', 'debate:rerun') ORDER BY e.seq DESC LIMIT 1) last
           WHERE d.id = debate AND d.status IN ('concluded', 'cancelled') AND last.type = 'debate:' || d.status
             AND last.at < transaction_timestamp() - interval '23 hours');
    WHEN 'judging_judgereport', 'judging_script' THEN
      RETURN moot_erases(debate);
    WHEN 'debates_ballot', 'judging_verdict' THEN
      RETURN moot_erases((SELECT t.debate_id FROM debates_thread t JOIN debates_round r ON r.thread_id = t.id
          WHERE r.id = (words ->> 'round_id')::bigint));
    WHEN 'judging_responseevaluation' THEN
      RETURN moot_erases((SELECT t.debate_id FROM debates_turn t WHERE t.id = (words ->> 'turn_id')::bigint));
    WHEN 'debates_turn' THEN
      RETURN moot_erases_voice((words ->> 'participant_id')::bigint) OR moot_erases_all_of(debate)
        OR moot_erases(debate) AND (EXISTS (SELECT FROM judging_synthesis s WHERE s.turn_id = row_id)
          OR EXISTS (SELECT FROM judging_judgereport r WHERE r.turn_id = row_id));
    WHEN 'judging_challenge' THEN
      RETURN moot_erases_all_of((SELECT t.debate_id FROM debates_thread t WHERE t.id = (words ->> 'thread_id')::bigint))
        OR moot_erases_challenge(row_id);
    WHEN 'debates_subject' THEN
      RETURN EXISTS (SELECT FROM debates_debate d WHERE d.subject_id = row_id AND moot_erases_all_of(d.id))
        AND NOT EXISTS (SELECT FROM debates_debate d WHERE d.subject_id = row_id
          AND NOT EXISTS (SELECT FROM scoring_erasure x WHERE x.debate_id = d.id AND x.scope = 'debate'));
    WHEN 'scoring_reason' THEN
      RETURN moot_erases_reason(row_id);
    WHEN 'scoring_internalnote' THEN
      RETURN EXISTS (SELECT FROM scoring_reason r WHERE r.note_id = row_id AND moot_erases_reason(r.id))
        OR EXISTS (SELECT FROM scoring_remark m JOIN scoring_evaluation e ON e.id = m.evaluation_id
          JOIN scoring_actor a ON a.id = m.by_id WHERE m.note_id = row_id AND (moot_erases_all_of(e.debate_id)
            OR EXISTS (SELECT FROM scoring_erasure x
              WHERE x.user_id = a.user_id AND x.at = transaction_timestamp() AND x.scope = 'user')));
    WHEN 'debates_invitation' THEN
      -- Its address goes with time, too, once nobody comes by it, or is kept from moderating, any more.
      RETURN moot_erases_all_of(debate) OR moot_erases_voice((words ->> 'seat_id')::bigint)
        OR (words ->> 'expires_at')::timestamptz < transaction_timestamp() - interval '23 hours'
        OR EXISTS (SELECT FROM scoring_erasure x JOIN auth_user u ON u.id = x.user_id
           WHERE x.at = transaction_timestamp() AND x.scope = 'user'
             AND (u.id = (words ->> 'addressee_id')::bigint OR lower(u.email) = lower(words ->> 'email')
               OR EXISTS (SELECT FROM account_emailaddress m WHERE m.user_id = u.id AND lower(m.email) = lower(words ->> 'email'))
               OR EXISTS (SELECT FROM debates_acceptance a WHERE a.user_id = u.id AND a.invitation_id = row_id)));
    WHEN 'scoring_actor' THEN
      RETURN EXISTS (SELECT FROM scoring_erasure x WHERE x.at = transaction_timestamp() AND x.scope = 'user'
        AND x.user_id = (words ->> 'user_id')::bigint);
    ELSE
      RETURN false;
  END CASE;
END $$;

-- A challenge is of whoever put it, and of whoever answered it.
CREATE OR REPLACE FUNCTION moot_erases_challenge(challenge bigint) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM debates_turn t WHERE moot_erases_voice(t.participant_id) AND t.id IN (
      SELECT c.turn_id FROM judging_challenge c WHERE c.id = challenge
      UNION ALL SELECT d.turn_id FROM judging_defence d WHERE d.challenge_id = challenge));
END $$;

-- A reason is of the debate where it was given, or of whose scores a set was staged for it, and of whoever gave it.
CREATE OR REPLACE FUNCTION moot_erases_reason(reason bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  WITH given AS (
    SELECT s.actor_id, e.debate_id FROM scoring_scorechange s JOIN scoring_evaluation e ON e.id = s.evaluation_id
      WHERE s.reason_id = reason
    UNION ALL SELECT a.requested_by_id, e.debate_id FROM scoring_approval a
      JOIN scoring_evaluation e ON e.id = a.evaluation_id WHERE a.because_id = reason
    UNION ALL SELECT a.decided_by_id, e.debate_id FROM scoring_approval a
      JOIN scoring_evaluation e ON e.id = a.evaluation_id WHERE a.decided_because_id = reason
    UNION ALL SELECT a.by_id, a.debate_id FROM scoring_alertanswer a WHERE a.because_id = reason
    UNION ALL SELECT NULL, e.debate_id FROM scoring_rescoreset r, jsonb_array_elements(r.lines) line
      JOIN scoring_evaluation e ON e.public_id::text = line ->> 'evaluation'
      WHERE reason IN (r.because_id, r.decided_because_id)
    UNION ALL SELECT r.staged_by_id, NULL FROM scoring_rescoreset r WHERE r.because_id = reason
    UNION ALL SELECT r.decided_by_id, NULL FROM scoring_rescoreset r WHERE r.decided_because_id = reason
    UNION ALL SELECT c.by_id, c.debate_id FROM scoring_conflict c WHERE c.because_id = reason
    UNION ALL SELECT b.by_id, b.debate_id FROM scoring_brokenseal b WHERE b.because_id = reason
    UNION ALL SELECT r.by_id, r.debate_id FROM scoring_replacedjudge r WHERE r.because_id = reason
    UNION ALL SELECT p.appellant_id, p.debate_id FROM scoring_appeal p WHERE p.because_id = reason
    UNION ALL SELECT p.decided_by_id, p.debate_id FROM scoring_appeal p WHERE p.decided_because_id = reason
    UNION ALL SELECT x.by_id, NULL FROM scoring_erasure x WHERE x.because_id = reason)
  SELECT EXISTS (SELECT FROM given g WHERE moot_erases_all_of(g.debate_id)
    OR EXISTS (SELECT FROM scoring_actor a JOIN scoring_erasure x ON x.user_id = a.user_id
      WHERE a.id = g.actor_id AND x.at = transaction_timestamp() AND x.scope = 'user'))
$$;

CREATE OR REPLACE TRIGGER erasure_10_now BEFORE INSERT ON scoring_erasure FOR EACH ROW WHEN (NEW.at <> transaction_timestamp())
  EXECUTE FUNCTION moot_refuse('erasure_is_of_this_moment');
CREATE OR REPLACE TRIGGER erasure_20_kept BEFORE UPDATE OR DELETE ON scoring_erasure FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('erasure_is_kept');
CREATE OR REPLACE TRIGGER erasure_30_truncate BEFORE TRUNCATE ON scoring_erasure FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('erasure_is_kept');

-- debate
-- The parameters of a panel without what its subject was to accomplish, and without why criteria do not apply.
CREATE OR REPLACE FUNCTION moot_taskless(parameters jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT jsonb_set(
    jsonb_set(parameters, '{panel,task}', '"[erased]"'), '{panel,not_applicable}',
    (SELECT coalesce(jsonb_object_agg(code, '[erased]'), '{}') FROM jsonb_object_keys(parameters #> '{panel,not_applicable}') code))
$$;

-- The parameters of a batch without what its caller called the responses, and without frameworks in own words.
CREATE OR REPLACE FUNCTION moot_nameless_batch(parameters jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT jsonb_set(parameters, '{batch}', parameters -> 'batch' || jsonb_build_object(
    'digest', '[erased]',
    'ids', (SELECT coalesce(jsonb_agg('[erased]'::text), '[]') FROM jsonb_array_elements(parameters #> '{batch,ids}')),
    'frameworks', (SELECT coalesce(jsonb_agg(CASE WHEN position(' ' in words) > 0 THEN '[erased]' ELSE words END ORDER BY place), '[]')
      FROM jsonb_array_elements_text(parameters #> '{batch,frameworks}') WITH ORDINALITY AS f (words, place))))
$$;

-- The parameters of an open debate without what it counts as words, and with its chairs' sides told apart by numbers alone.
CREATE OR REPLACE FUNCTION moot_wordless_table(parameters jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT jsonb_set(
    jsonb_set(parameters, '{table,words}', '{"persuasion": [], "attack": [], "evidence": []}'), '{table,chairs}',
    (SELECT coalesce(jsonb_agg(CASE WHEN chair ? 'side'
        THEN chair || jsonb_build_object('side', format('[erased %s]', first)) ELSE chair END ORDER BY place), '[]')
      FROM (SELECT chair, place, min(place) OVER (PARTITION BY chair -> 'side') AS first
        FROM jsonb_array_elements(parameters #> '{table,chairs}') WITH ORDINALITY AS a (chair, place)) AS chairs))
$$;

-- What a debate was called, asked and set up with are words, too.
CREATE OR REPLACE FUNCTION moot_debate_words() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  whole boolean := moot_erases_all_of(OLD.id);
BEGIN
  IF NEW.title <> OLD.title AND NOT (whole AND NEW.title = '[erased]') THEN
    RAISE restrict_violation USING MESSAGE = 'a debate loses its title by an erasure alone',
      CONSTRAINT = 'debate_keeps_its_title';
  END IF;
  IF NEW.motion <> OLD.motion AND NOT (whole AND NEW.motion = '[erased]')
     OR NEW.parameters::text <> OLD.parameters::text
     AND NOT (moot_erases(OLD.id) AND NEW.parameters::text = moot_renamed(OLD.parameters, moot_erased_names(OLD.id))::text)
     AND NOT (whole AND OLD.parameters ? 'panel' AND NEW.parameters::text = moot_taskless(OLD.parameters)::text)
     AND NOT (whole AND OLD.parameters ? 'table' AND NEW.parameters::text = moot_wordless_table(OLD.parameters)::text)
     AND NOT (whole AND OLD.parameters ? 'batch' AND NEW.parameters::text = moot_nameless_batch(OLD.parameters)::text) THEN
    RAISE restrict_violation USING MESSAGE = 'of what a debate was made with only the words go, by an erasure of them',
      CONSTRAINT = 'debate_parameters_are_fixed';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER debate_12_words BEFORE UPDATE ON debates_debate FOR EACH ROW
  WHEN ((OLD.title, OLD.motion, OLD.parameters::text) IS DISTINCT FROM (NEW.title, NEW.motion, NEW.parameters::text))
  EXECUTE FUNCTION moot_debate_words();
DROP FUNCTION IF EXISTS moot_parameters_kept() CASCADE;

-- participant
CREATE OR REPLACE FUNCTION moot_participant_named() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT (moot_erases_voice(OLD.id) AND NEW.name = moot_nameless(OLD.id)) THEN
    RAISE restrict_violation USING MESSAGE = 'who takes part in a debate loses a name by an erasure alone',
      CONSTRAINT = 'participant_keeps_its_name';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER participant_12_named BEFORE UPDATE ON debates_participant FOR EACH ROW
  WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION moot_participant_named();

-- A debate is played, scored and shown with who was there when it was created; later comes only who takes the place of a judge.
CREATE OR REPLACE FUNCTION moot_participant_comes() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_seal s WHERE s.relation = 'debates_debate' AND s.key = NEW.debate_id AND s.act = 'INSERT'
      AND s.batch = pg_current_xact_id()::text::bigint
  ) AND NOT EXISTS (SELECT FROM scoring_replacedjudge r WHERE r.successor_id = NEW.id) THEN
    RAISE check_violation USING MESSAGE = format('debate %s was created without participant %s', NEW.debate_id, NEW.id),
      CONSTRAINT = 'participant_comes_with_its_debate';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS participant_15_comes ON debates_participant;
CREATE CONSTRAINT TRIGGER participant_15_comes AFTER INSERT ON debates_participant DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_participant_comes();

-- evaluation
-- An account opens empty, whatever the client sent; its first entry fills it. A debate that is over has all it will have:
-- its result would take in another.
CREATE OR REPLACE FUNCTION moot_evaluation_open() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.computed_score := NULL; NEW.override_score := NULL; NEW.confidence := NULL; NEW.counted := false;
  NEW.basis := '{}'; NEW.held := '{}'; NEW.frozen_at := NULL; NEW.run_number := 1; NEW.debate_complete := false;
  NEW.debate_round_count := 0; NEW.version := 0; NEW.moderation_version := 0; NEW.last_score_update := NULL;
  NEW.head_hash := '';
  IF NOT EXISTS (SELECT 1 FROM debates_thread t WHERE t.id = NEW.thread_id AND t.debate_id = NEW.debate_id)
     OR NEW.participant_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM debates_participant p WHERE p.id = NEW.participant_id AND p.debate_id = NEW.debate_id) THEN
    RAISE check_violation USING MESSAGE = 'the thread and the participant of an evaluation are of its own debate',
      CONSTRAINT = 'evaluation_belongs_to_its_debate';
  END IF;
  IF EXISTS (SELECT FROM debates_debate d WHERE d.id = NEW.debate_id AND d.status IN ('concluded', 'failed', 'cancelled')) THEN
    RAISE check_violation USING MESSAGE = format('debate %s is over', NEW.debate_id),
      CONSTRAINT = 'evaluation_is_opened_while_its_debate_lasts';
  END IF;
  RETURN NEW;
END $$;

-- Whoever ends a debate locks the head of its log last, as every block does: of the two, one sees the other. Who plays holds
-- no lock on the debate, and asking for one here would wait for whoever holds that and wants the thread.
CREATE OR REPLACE FUNCTION moot_evaluation_opened() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM debates_eventhead h WHERE h.debate_id = NEW.debate_id FOR NO KEY UPDATE;
  IF EXISTS (
    SELECT FROM debates_debate d WHERE d.id = NEW.debate_id AND d.status IN ('concluded', 'failed', 'cancelled') AND NOT EXISTS (
      SELECT FROM debates_seal s WHERE s.relation = 'debates_debate' AND s.key = d.id AND 'status' = ANY (s.altered)
        AND s.batch = pg_current_xact_id()::text::bigint)) THEN
    RAISE check_violation USING MESSAGE = format('debate %s has ended meanwhile', NEW.debate_id),
      CONSTRAINT = 'evaluation_is_opened_while_its_debate_lasts';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM scoring_scorechange WHERE evaluation_id = NEW.id AND sequence = 1) THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s has no opening entry', NEW.id),
      CONSTRAINT = 'evaluation_is_opened_with_its_first_value';
  END IF;
  RETURN NULL;
END $$;

-- No flag and no pg_trigger_depth(), which can be forged: the row may only become what the newest entry says.
CREATE OR REPLACE FUNCTION moot_evaluation_guard() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.version = OLD.version + 1
     AND (NEW.id, NEW.public_id, NEW.debate_id, NEW.thread_id, NEW.participant_id, NEW.instrument, NEW.key,
          NEW.name, NEW.category, NEW.weight, NEW.position, NEW.initial_score, NEW.initial_confidence, NEW.created_at)
       IS NOT DISTINCT FROM
         (OLD.id, OLD.public_id, OLD.debate_id, OLD.thread_id, OLD.participant_id, OLD.instrument, OLD.key,
          OLD.name, OLD.category, OLD.weight, OLD.position, OLD.initial_score, OLD.initial_confidence, OLD.created_at)
     AND EXISTS (
       SELECT 1 FROM scoring_scorechange s WHERE s.evaluation_id = NEW.id AND s.sequence = NEW.version
         AND (s.computed_after, s.override_after, s.confidence_after, s.counted_after, s.basis, s.held,
              s.run_number, s.complete_after, s.rounds_after, s.hash)
           IS NOT DISTINCT FROM
             (NEW.computed_score, NEW.override_score, NEW.confidence, NEW.counted, NEW.basis, NEW.held,
              NEW.run_number, NEW.debate_complete, NEW.debate_round_count, NEW.head_hash)
         AND NEW.frozen_at IS NOT DISTINCT FROM CASE WHEN s.frozen_after THEN coalesce(OLD.frozen_at, s.at) END
         AND NEW.moderation_version = CASE WHEN s.actor_kind = 'engine' THEN OLD.moderation_version ELSE s.sequence END
         AND NEW.last_score_update IS NOT DISTINCT FROM
             CASE WHEN s.delta <> 0 OR s.applied <> 0 OR s.kind IN ('round', 'fallback') THEN s.at ELSE OLD.last_score_update END)
  THEN
    RETURN NEW;
  END IF;
  RAISE restrict_violation USING MESSAGE = format('evaluation %s changes only through an entry of its ledger', OLD.id),
    CONSTRAINT = 'evaluation_moves_only_with_an_entry', HINT = 'Append an entry instead.';
END $$;

-- An account may carry a person's name. No hash covers it; everything else in the row stays with the ledger.
CREATE OR REPLACE FUNCTION moot_evaluation_renamed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT coalesce(moot_erases_voice(OLD.participant_id) AND NEW.name = moot_nameless(OLD.participant_id), false)
     OR (to_jsonb(NEW) - 'name' - 'final_score')::text <> (to_jsonb(OLD) - 'name' - 'final_score')::text THEN
    RAISE restrict_violation USING MESSAGE = format('evaluation %s loses its name by an erasure alone', OLD.id),
      CONSTRAINT = 'evaluation_moves_only_with_an_entry';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER evaluation_10_open BEFORE INSERT ON scoring_evaluation FOR EACH ROW EXECUTE FUNCTION moot_evaluation_open();
DROP TRIGGER IF EXISTS evaluation_15_opened ON scoring_evaluation;
CREATE CONSTRAINT TRIGGER evaluation_15_opened AFTER INSERT ON scoring_evaluation DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_evaluation_opened();
CREATE OR REPLACE TRIGGER evaluation_20_guard BEFORE UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN (NEW.name IS NOT DISTINCT FROM OLD.name) EXECUTE FUNCTION moot_evaluation_guard();
CREATE OR REPLACE TRIGGER evaluation_21_renamed BEFORE UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN (NEW.name IS DISTINCT FROM OLD.name) EXECUTE FUNCTION moot_evaluation_renamed();
CREATE OR REPLACE TRIGGER evaluation_30_kept BEFORE DELETE ON scoring_evaluation FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('evaluation_with_history_is_kept');
CREATE OR REPLACE TRIGGER evaluation_40_truncate BEFORE TRUNCATE ON scoring_evaluation FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('evaluation_with_history_is_kept');

-- fact
CREATE OR REPLACE FUNCTION moot_fact_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  fits boolean;
BEGIN
  -- Whoever counts the round holds this lock too, so that no fact can slip in behind the entry that counted it.
  PERFORM 1 FROM scoring_evaluation e WHERE e.id = NEW.evaluation_id FOR NO KEY UPDATE;
  -- Until when a ruling is appealed against counts from when it was kept: the database says when.
  NEW.at := clock_timestamp();
  IF EXISTS (SELECT 1 FROM scoring_scorechange s WHERE s.evaluation_id = NEW.evaluation_id AND s.round_id = NEW.round_id) THEN
    RAISE check_violation USING MESSAGE = format('round %s has been counted; no fact can be added to it', NEW.round_id),
      CONSTRAINT = 'fact_arrives_before_its_round_counts';
  END IF;
  SELECT r.thread_id = e.thread_id AND r.run_number = NEW.run_number
      AND NEW.kind = CASE e.instrument WHEN 'criterion' THEN 'verdict' WHEN 'adherence' THEN 'response'
                                       WHEN 'panel' THEN 'judge_score' ELSE 'standing' END
    INTO fits FROM debates_round r, scoring_evaluation e WHERE r.id = NEW.round_id AND e.id = NEW.evaluation_id;
  IF fits IS DISTINCT FROM true THEN
    RAISE check_violation USING
      MESSAGE = format('a %s of run %s does not belong to round %s of this evaluation', NEW.kind, NEW.run_number, NEW.round_id),
      CONSTRAINT = 'fact_belongs_to_its_round';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER fact_10_fits BEFORE INSERT ON scoring_fact FOR EACH ROW EXECUTE FUNCTION moot_fact_fits();
CREATE OR REPLACE TRIGGER fact_30_append_only BEFORE UPDATE OR DELETE ON scoring_fact FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('fact_is_append_only');
CREATE OR REPLACE TRIGGER fact_40_truncate BEFORE TRUNCATE ON scoring_fact FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('fact_is_append_only');

-- internal note
CREATE OR REPLACE FUNCTION moot_note_open() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF moot_seen(NEW.text) = '' THEN
    RAISE check_violation USING MESSAGE = 'a note that nobody sees says nothing', CONSTRAINT = 'note_has_words';
  END IF;
  IF length(NEW.text) > 4000 THEN
    RAISE check_violation USING MESSAGE = 'a note has at most 4000 characters', CONSTRAINT = 'note_is_short_enough';
  END IF;
  IF NEW.text ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]' THEN
    RAISE check_violation USING MESSAGE = 'a note holds no control characters but tabs and line ends',
      CONSTRAINT = 'note_has_no_control_characters';
  END IF;
  RETURN NEW;
END $$;
-- By its reason or remark a note is found when its words are to go, so it has one: asked at the end of the transaction.
CREATE OR REPLACE FUNCTION moot_note_of_a_reason() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM scoring_reason r WHERE r.note_id = NEW.id)
     AND NOT EXISTS (SELECT FROM scoring_remark m WHERE m.note_id = NEW.id) THEN
    RAISE check_violation USING MESSAGE = format('note %s was written with no reason', NEW.id),
      CONSTRAINT = 'note_is_written_with_a_reason';
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER note_10_open BEFORE INSERT ON scoring_internalnote FOR EACH ROW EXECUTE FUNCTION moot_note_open();
DROP TRIGGER IF EXISTS note_15_of_a_reason ON scoring_internalnote;
CREATE CONSTRAINT TRIGGER note_15_of_a_reason AFTER INSERT ON scoring_internalnote DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_note_of_a_reason();
CREATE OR REPLACE TRIGGER note_20_erasable BEFORE UPDATE ON scoring_internalnote FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('note_is_never_edited', 'text');
CREATE OR REPLACE TRIGGER note_30_kept BEFORE DELETE ON scoring_internalnote FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('note_is_never_edited');
CREATE OR REPLACE TRIGGER note_40_truncate BEFORE TRUNCATE ON scoring_internalnote FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('note_is_never_edited');

-- reason
CREATE OR REPLACE FUNCTION moot_reason_open() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF length(moot_seen(NEW.text)) < 10 THEN
    RAISE check_violation USING MESSAGE = 'a reason has at least 10 characters and is not blank',
      CONSTRAINT = 'reason_has_ten_characters';
  END IF;
  IF length(NEW.salt) < 16 THEN
    RAISE check_violation USING MESSAGE = 'a reason is salted', CONSTRAINT = 'reason_is_salted';
  END IF;
  NEW.digest := moot_digest(NEW.salt || NEW.text);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER reason_10_open BEFORE INSERT ON scoring_reason FOR EACH ROW EXECUTE FUNCTION moot_reason_open();
CREATE OR REPLACE TRIGGER reason_20_erasable BEFORE UPDATE ON scoring_reason FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('reason_is_never_edited', 'text', 'salt');
CREATE OR REPLACE TRIGGER reason_30_kept BEFORE DELETE ON scoring_reason FOR EACH ROW EXECUTE FUNCTION moot_refuse('reason_is_never_edited');
CREATE OR REPLACE TRIGGER reason_40_truncate BEFORE TRUNCATE ON scoring_reason FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('reason_is_never_edited');

-- actor: somebody, with a name
CREATE OR REPLACE TRIGGER actor_05_somebody BEFORE INSERT ON scoring_actor FOR EACH ROW WHEN (NEW.user_id IS NULL)
  EXECUTE FUNCTION moot_refuse('actor_is_somebody');
CREATE OR REPLACE TRIGGER actor_10_named BEFORE INSERT ON scoring_actor FOR EACH ROW WHEN (moot_seen(NEW.name) = '')
  EXECUTE FUNCTION moot_refuse('actor_has_a_name');
CREATE OR REPLACE TRIGGER actor_20_erasable BEFORE UPDATE ON scoring_actor FOR EACH ROW
  EXECUTE FUNCTION moot_only_blanks('actor_is_never_edited', 'name', 'role');
CREATE OR REPLACE TRIGGER actor_30_kept BEFORE DELETE ON scoring_actor FOR EACH ROW EXECUTE FUNCTION moot_refuse('actor_is_never_edited');
CREATE OR REPLACE TRIGGER actor_40_truncate BEFORE TRUNCATE ON scoring_actor FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('actor_is_never_edited');

-- scorechange: the entries
-- The entry before insert: lock, derive, compare, chain.
CREATE OR REPLACE FUNCTION moot_entry_append() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  ev scoring_evaluation;
  target scoring_scorechange;
  own bigint[];           -- the facts that this entry brings or moves, as the database sees them
  run integer; basis bigint[]; held bigint[]; override numeric; counted boolean; complete boolean; rounds integer;
  parameters text;
  status text;
  created timestamptz;
  reason scoring_reason;
BEGIN
  SELECT * INTO ev FROM scoring_evaluation WHERE id = NEW.evaluation_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE foreign_key_violation USING MESSAGE = format('evaluation %s does not exist', NEW.evaluation_id),
      CONSTRAINT = 'entry_has_an_evaluation';
  END IF;
  IF NEW.sequence NOT IN (0, ev.version + 1) THEN
    RAISE serialization_failure USING
      MESSAGE = format('entry %s was sent, the ledger is at %s', NEW.sequence, ev.version), CONSTRAINT = 'entry_is_stale';
  END IF;
  IF (ev.version = 0) <> (NEW.kind = 'opened') THEN
    RAISE check_violation USING MESSAGE = 'an account is opened once, by its first entry',
      CONSTRAINT = 'entry_opens_the_account_first';
  END IF;
  IF ev.frozen_at IS NOT NULL AND NEW.kind NOT IN ('held', 'completed', 'unfreeze') THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s is frozen', ev.id), CONSTRAINT = 'evaluation_is_frozen';
  END IF;
  IF ev.frozen_at IS NULL AND NEW.kind IN ('held', 'unfreeze') THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s is not frozen', ev.id),
      CONSTRAINT = 'evaluation_is_not_frozen';
  END IF;

  SELECT d.created_at, d.status, d.parameters ->> 'score' INTO created, status, parameters
    FROM debates_debate d WHERE d.id = ev.debate_id;
  -- After the end scores move by decisions that somebody signs.
  IF NEW.kind IN ('round', 'held') AND status IN ('concluded', 'failed', 'cancelled') THEN
    RAISE check_violation USING MESSAGE = format('debate %s is over', ev.debate_id),
      CONSTRAINT = 'round_counts_while_its_debate_lasts';
  END IF;

  NEW.id := nextval('scoring_scorechange_id_seq');  -- lists of what was done go by it
  NEW.sequence := ev.version + 1;
  NEW.at := greatest(clock_timestamp(), created,
    (SELECT s.at FROM scoring_scorechange s WHERE s.evaluation_id = ev.id AND s.sequence = ev.version));
  NEW.initial_score := ev.initial_score;
  NEW.computed_before := ev.computed_score;
  NEW.confidence_before := coalesce(ev.confidence, ev.initial_confidence);
  NEW.value_before := coalesce(ev.final_score, ev.initial_score);
  NEW.frozen_before := ev.frozen_at IS NOT NULL;

  run := ev.run_number; basis := ev.basis; held := ev.held; override := ev.override_score;
  counted := ev.counted; complete := ev.debate_complete; rounds := ev.debate_round_count;
  own := '{}';

  IF NEW.round_id IS NOT NULL THEN
    SELECT coalesce(array_agg(f.id ORDER BY f.id), '{}') INTO own
      FROM scoring_fact f WHERE f.evaluation_id = ev.id AND f.round_id = NEW.round_id AND f.run_number = run;
    IF NEW.kind NOT IN ('opened', 'round', 'held')
       OR NOT EXISTS (SELECT 1 FROM debates_round r WHERE r.id = NEW.round_id AND r.thread_id = ev.thread_id AND r.run_number = run)
       OR own = '{}' THEN
      RAISE check_violation USING
        MESSAGE = format('round %s is not a round of this thread and run with facts of evaluation %s', NEW.round_id, ev.id),
        CONSTRAINT = 'entry_names_its_round';
    END IF;
  ELSIF NEW.kind IN ('round', 'held') THEN
    RAISE check_violation USING MESSAGE = format('a %s entry names its round', NEW.kind), CONSTRAINT = 'entry_names_its_round';
  END IF;

  -- A freeze names facts only where an unfreeze is undone: they are held again.
  IF NEW.kind IN ('strike', 'reinstate') OR NEW.kind = 'freeze' AND NEW.facts <> '{}' THEN
    own := moot_sorted(NEW.facts);
    IF ev.instrument = 'standing' AND NEW.kind <> 'freeze' OR own = '{}'
       OR NEW.kind = 'strike' AND NOT own <@ basis
       OR NEW.kind IN ('reinstate', 'freeze') AND (own && basis OR (SELECT count(*) FROM scoring_fact f
            WHERE f.id = ANY (own) AND f.evaluation_id = ev.id AND f.run_number = run) <> cardinality(own)) THEN
      RAISE check_violation USING MESSAGE = format('these facts cannot be %s',
          CASE NEW.kind WHEN 'strike' THEN 'struck' WHEN 'freeze' THEN 'held again' ELSE 'reinstated' END),
        CONSTRAINT = 'entry_facts_belong_to_the_evaluation';
    END IF;
  END IF;

  CASE NEW.kind
    WHEN 'opened' THEN
      -- A criterion is given its first score, a panel's review may be; the others start from what was judged.
      IF ev.instrument IN ('adherence', 'standing') AND own = '{}'
         OR own <> '{}' AND NEW.computed_after IS DISTINCT FROM ev.initial_score THEN
        RAISE check_violation USING MESSAGE = format('this is not how a %s account opens', ev.instrument),
          CONSTRAINT = 'evaluation_is_opened_with_its_first_value';
      END IF;
      basis := own; counted := ev.instrument <> 'criterion';
      rounds := CASE WHEN EXISTS (SELECT 1 FROM debates_round r WHERE r.id = NEW.round_id AND r.number > 0) THEN 1 ELSE 0 END;
    WHEN 'round' THEN
      basis := CASE WHEN ev.instrument IN ('criterion', 'adherence') THEN moot_sorted(basis || own) ELSE own END;
      counted := true; rounds := rounds + 1;
    WHEN 'held' THEN
      held := moot_sorted(held || own); rounds := rounds + 1;
    WHEN 'completed' THEN
      complete := true;
    WHEN 'fallback' THEN
      IF counted THEN
        RAISE check_violation USING MESSAGE = 'a fallback never replaces counted facts',
          CONSTRAINT = 'entry_falls_back_only_over_nothing';
      END IF;
      counted := true;
    WHEN 'override' THEN
      override := NEW.override_after;
      IF override IS NULL THEN
        RAISE check_violation USING MESSAGE = 'an override carries a value', CONSTRAINT = 'entry_of_override_has_a_value';
      END IF;
    WHEN 'override_lifted' THEN
      IF override IS NULL THEN
        RAISE check_violation USING MESSAGE = 'there is no override to lift', CONSTRAINT = 'entry_lifts_an_override';
      END IF;
      override := NULL;
    WHEN 'freeze' THEN
      held := own;
    WHEN 'unfreeze' THEN
      own := held;
      IF NEW.held_choice = 'apply' AND held <> '{}' THEN
        basis := CASE WHEN ev.instrument IN ('criterion', 'adherence') THEN moot_sorted(basis || held)
          ELSE (SELECT array_agg(f.id ORDER BY f.id) FROM scoring_fact f WHERE f.id = ANY (held)
                AND f.round_id = (SELECT r.id FROM debates_round r JOIN scoring_fact g ON g.round_id = r.id
                                  WHERE g.id = ANY (held) ORDER BY r.number DESC LIMIT 1)) END;
        counted := true;
      END IF;
      held := '{}';
    WHEN 'strike' THEN
      basis := moot_without(basis, own);
    WHEN 'reinstate' THEN
      basis := moot_sorted(basis || own); counted := true;
    WHEN 'rollback' THEN
      SELECT * INTO target FROM scoring_scorechange s
        WHERE s.evaluation_id = ev.id AND s.sequence = NEW.target_sequence AND s.sequence <= ev.version;
      IF NOT FOUND THEN
        RAISE check_violation USING MESSAGE = format('evaluation %s has no earlier entry %s', ev.id, NEW.target_sequence),
          CONSTRAINT = 'entry_of_rollback_names_its_target';
      END IF;
      run := target.run_number; basis := target.basis; held := '{}'; override := target.override_after;
      complete := target.complete_after; rounds := target.rounds_after;
      counted := EXISTS (SELECT 1 FROM scoring_scorechange s
        WHERE s.evaluation_id = ev.id AND s.run_number = target.run_number AND s.counted_after);
      IF counted = target.counted_after AND (NEW.computed_after, NEW.confidence_after)
         IS DISTINCT FROM (target.computed_after, target.confidence_after) THEN
        RAISE check_violation USING MESSAGE = 'a rollback brings back the computed score of its target',
          CONSTRAINT = 'entry_score_moves_only_with_its_basis';
      END IF;
    WHEN 'rerun' THEN
      run := NEW.run_number; basis := '{}'; override := NULL; counted := false; complete := false; rounds := 0;
      -- The next one: a thread goes on by one run, so that nobody could play this again behind one that was left out.
      IF ev.instrument <> 'criterion' OR run <> 1 + greatest(
          (SELECT max(s.run_number) FROM scoring_scorechange s WHERE s.evaluation_id = ev.id),
          (SELECT t.run_number FROM debates_thread t WHERE t.id = ev.thread_id)) THEN
        RAISE check_violation USING MESSAGE = 'a rerun opens the next run of a criterion', CONSTRAINT = 'entry_of_rerun_opens_a_new_run';
      END IF;
    ELSE
      RAISE check_violation USING MESSAGE = format('no entry is of the kind %s', NEW.kind), CONSTRAINT = 'entry_kind_is_known';
  END CASE;

  -- The service sent the state it computed f for; it must be the state that the kind leads to.
  IF (NEW.facts, NEW.run_number, NEW.basis, NEW.held, NEW.override_after, NEW.counted_after, NEW.complete_after,
      NEW.rounds_after)
     IS DISTINCT FROM (own, run, basis, held, override, counted, complete, rounds) THEN
    RAISE check_violation USING
      MESSAGE = format('a %s entry leads to run %s, basis %s, held %s, override %s, counted %s, complete %s, rounds %s; '
        'sent were %s, %s, %s, %s, %s, %s, %s with facts %s', NEW.kind, run, basis, held, override, counted, complete, rounds,
        NEW.run_number, NEW.basis, NEW.held, NEW.override_after, NEW.counted_after, NEW.complete_after, NEW.rounds_after, NEW.facts),
      CONSTRAINT = 'entry_state_follows_its_kind';
  END IF;
  -- f is the service's, but where nothing that counts changed, nothing may move; and f of nothing is known.
  IF (run, basis, counted) IS NOT DISTINCT FROM (ev.run_number, ev.basis, ev.counted) AND NEW.kind <> 'opened'
     AND (NEW.computed_after, NEW.confidence_after) IS DISTINCT FROM (ev.computed_score, ev.confidence)
     OR NOT counted AND (NEW.computed_after IS NOT NULL OR NEW.confidence_after IS DISTINCT FROM ev.initial_confidence)
     OR counted AND basis = '{}' AND ev.instrument = 'criterion' AND (NEW.computed_after, NEW.confidence_after)
        IS DISTINCT FROM (ev.initial_score, ev.initial_confidence)
     OR counted AND basis = '{}' AND ev.instrument <> 'criterion' AND NEW.computed_after IS NOT NULL
     OR counted AND basis <> '{}' AND NEW.computed_after IS NULL
     OR ev.instrument = 'criterion' AND NEW.confidence_after IS NULL THEN
    RAISE check_violation USING MESSAGE = 'a computed score moves only with the facts that count',
      CONSTRAINT = 'entry_score_moves_only_with_its_basis';
  END IF;

  NEW.value_after := coalesce(override, NEW.computed_after, ev.initial_score);
  -- What an override rests on: the approval that grants it now, else the one that the override before it rested on; and
  -- what it is held to. The stricter threshold holds: that of the service, or the database's own.
  IF override IS NULL THEN
    NEW.covered_by_id := NULL; NEW.covered_value := NULL;
  ELSIF NEW.covered_by_id IS NOT NULL THEN
    SELECT a.value INTO NEW.covered_value FROM scoring_approval a
      WHERE a.id = NEW.covered_by_id AND a.evaluation_id = ev.id AND a.state = 'waiting' AND a.requested_by_id = NEW.actor_id
        AND a.value = override AND NEW.kind = 'override';
    IF NOT FOUND THEN
      RAISE check_violation USING MESSAGE = 'this is not the request that would approve the override',
        CONSTRAINT = 'override_beyond_the_threshold_is_approved_by_a_second_person';
    END IF;
  ELSIF ev.override_score IS NOT NULL THEN
    SELECT s.covered_by_id, s.covered_value INTO NEW.covered_by_id, NEW.covered_value
      FROM scoring_scorechange s WHERE s.evaluation_id = ev.id AND s.sequence = ev.version;
  ELSE
    NEW.covered_value := NULL;
  END IF;
  IF override IS NOT NULL AND NEW.kind IN ('override', 'strike', 'reinstate', 'rollback') THEN
    NEW.second_person_from := least(NEW.second_person_from, (SELECT t.points FROM scoring_threshold t ORDER BY t.id DESC LIMIT 1));
  ELSE
    NEW.second_person_from := NULL; NEW.computed_alone := NULL;
  END IF;
  NEW.facts_hash := moot_facts_hash_v1(basis || held);
  IF NEW.reason_id IS NOT NULL THEN
    SELECT * INTO reason FROM scoring_reason r WHERE r.id = NEW.reason_id;
    IF NOT FOUND THEN
      PERFORM moot_is_missing('reason', NEW.reason_id);
    END IF;
    IF reason.text = '' OR reason.salt = '' THEN
      RAISE check_violation USING MESSAGE = 'an erased reason gives none', CONSTRAINT = 'reason_has_ten_characters';
    END IF;
  END IF;
  NEW.previous_hash := ev.head_hash;
  NEW.hash := moot_entry_hash_v1(ev.head_hash, NEW, moot_account_hash_v1(ev, parameters), reason.digest);
  RETURN NEW;
END $$;

-- AFTER, not BEFORE: a BEFORE side effect would survive INSERT .. ON CONFLICT DO NOTHING.
-- SECURITY DEFINER: the app role may not update these columns itself.
CREATE OR REPLACE FUNCTION moot_entry_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE scoring_evaluation SET
    computed_score = NEW.computed_after, override_score = NEW.override_after, confidence = NEW.confidence_after,
    counted = NEW.counted_after, basis = NEW.basis, held = NEW.held,
    frozen_at = CASE WHEN NEW.frozen_after THEN coalesce(frozen_at, NEW.at) END,
    run_number = NEW.run_number, debate_complete = NEW.complete_after, debate_round_count = NEW.rounds_after,
    version = NEW.sequence,
    moderation_version = CASE WHEN NEW.actor_kind = 'engine' THEN moderation_version ELSE NEW.sequence END,
    last_score_update = CASE WHEN NEW.delta <> 0 OR NEW.applied <> 0 OR NEW.kind IN ('round', 'fallback')
                             THEN NEW.at ELSE last_score_update END,
    head_hash = NEW.hash
  WHERE id = NEW.evaluation_id;
  RETURN NULL;
END $$;

-- A panel's score is of one round of its judges: what was struck can be put back beside the others of its round, and never
-- beside those of another round. It comes after entry_10_append, which has seen to it that the basis is what the kind
-- leads to.
CREATE OR REPLACE FUNCTION moot_panel_of_one_round() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (SELECT e.instrument FROM scoring_evaluation e WHERE e.id = NEW.evaluation_id) = 'panel'
     AND (SELECT count(DISTINCT f.round_id) FROM scoring_fact f WHERE f.id = ANY (NEW.basis)) > 1 THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s would be the mean of several rounds', NEW.evaluation_id),
      CONSTRAINT = 'entry_counts_one_round_of_a_panel';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER entry_10_append BEFORE INSERT ON scoring_scorechange FOR EACH ROW EXECUTE FUNCTION moot_entry_append();
CREATE OR REPLACE TRIGGER entry_15_one_round BEFORE INSERT ON scoring_scorechange FOR EACH ROW WHEN (NEW.kind = 'reinstate')
  EXECUTE FUNCTION moot_panel_of_one_round();
CREATE OR REPLACE TRIGGER entry_20_project AFTER INSERT ON scoring_scorechange FOR EACH ROW EXECUTE FUNCTION moot_entry_project();
CREATE OR REPLACE TRIGGER entry_30_append_only BEFORE UPDATE OR DELETE ON scoring_scorechange FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('entry_is_append_only');
CREATE OR REPLACE TRIGGER entry_40_truncate BEFORE TRUNCATE ON scoring_scorechange FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('entry_is_append_only');

-- The chain restated without any procedure: it holds with every trigger switched off.
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_follows_the_one_before;
ALTER TABLE scoring_scorechange ADD COLUMN IF NOT EXISTS previous_sequence integer
  GENERATED ALWAYS AS (CASE WHEN sequence > 1 THEN sequence - 1 END) STORED;
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_can_be_followed;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_can_be_followed UNIQUE (evaluation_id, sequence, value_after, frozen_after);
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_follows_the_one_before
  FOREIGN KEY (evaluation_id, previous_sequence, value_before, frozen_before)
  REFERENCES scoring_scorechange (evaluation_id, sequence, value_after, frozen_after);
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_starts_from_the_initial_score;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_starts_from_the_initial_score
  FOREIGN KEY (evaluation_id, initial_score) REFERENCES scoring_evaluation (id, initial_score);
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_opens_at_the_initial_score;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_opens_at_the_initial_score
  CHECK (sequence > 1 OR value_before = initial_score AND NOT frozen_before);

-- What people decide is never booked as the engine's: it would leave moderation_version, and so a stale look, unnoticed.
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS entry_of_a_moderator_is_not_the_engines;
ALTER TABLE scoring_scorechange ADD CONSTRAINT entry_of_a_moderator_is_not_the_engines
  CHECK (actor_kind <> 'engine' OR kind IN ('opened', 'round', 'held', 'completed', 'fallback'));

-- How far one person alone brings a score. What f would give without what they decided is the service's, and proved by
-- `manage.py verify_ledger`; that nobody goes further than the threshold holds with every trigger switched off.
ALTER TABLE scoring_scorechange DROP CONSTRAINT IF EXISTS override_beyond_the_threshold_is_approved_by_a_second_person;
ALTER TABLE scoring_scorechange ADD CONSTRAINT override_beyond_the_threshold_is_approved_by_a_second_person
  CHECK (override_after IS NULL OR second_person_from IS NULL OR kind NOT IN ('override', 'strike', 'reinstate', 'rollback')
    OR kind = 'override' AND covered_value IS NOT NULL AND override_after = covered_value
    OR abs(override_after - value_before) < second_person_from
       AND CASE WHEN covered_value IS NOT NULL THEN abs(override_after - covered_value) < second_person_from
         ELSE abs(override_after - coalesce(computed_after, initial_score)) < second_person_from
              AND computed_alone IS NOT NULL AND abs(override_after - computed_alone) < second_person_from END);

-- The request that grants an override is approved after its entry was written: asked at the end of the transaction.
CREATE OR REPLACE FUNCTION moot_entry_covered() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM scoring_approval a JOIN scoring_scorechange s ON s.id = a.entry_id
                 WHERE a.id = NEW.covered_by_id AND a.state = 'approved' AND a.value = NEW.covered_value
                   AND s.evaluation_id = NEW.evaluation_id AND s.sequence <= NEW.sequence) THEN
    RAISE check_violation USING MESSAGE = format('nobody approved what entry %s rests on', NEW.sequence),
      CONSTRAINT = 'override_beyond_the_threshold_is_approved_by_a_second_person';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS entry_25_covered ON scoring_scorechange;
CREATE CONSTRAINT TRIGGER entry_25_covered AFTER INSERT ON scoring_scorechange DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.covered_by_id IS NOT NULL) EXECUTE FUNCTION moot_entry_covered();

-- By its reason an entry is found to be of a set, which is applied after its entries were written: asked at the end, too.
CREATE OR REPLACE FUNCTION moot_entry_of_a_set() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM scoring_rescoreset r WHERE r.because_id = NEW.reason_id AND r.state <> 'applied') THEN
    RAISE check_violation USING MESSAGE = format('entry %s is for the reason of a set that is not applied', NEW.sequence),
      CONSTRAINT = 'rescore_is_applied_with_its_entries';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS entry_26_of_a_set ON scoring_scorechange;
CREATE CONSTRAINT TRIGGER entry_26_of_a_set AFTER INSERT ON scoring_scorechange DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.reason_id IS NOT NULL) EXECUTE FUNCTION moot_entry_of_a_set();

-- alert
-- Who is no party in its debate answers it.
CREATE OR REPLACE FUNCTION moot_alert_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM scoring_evaluation e WHERE e.id = NEW.evaluation_id AND e.debate_id = NEW.debate_id) THEN
    RAISE check_violation USING MESSAGE = format('evaluation %s is not of debate %s', NEW.evaluation_id, NEW.debate_id),
      CONSTRAINT = 'alert_is_about_its_debate';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER alert_04_fits BEFORE INSERT ON scoring_alert FOR EACH ROW
  WHEN (NEW.evaluation_id IS NOT NULL) EXECUTE FUNCTION moot_alert_fits();
-- Why a judge failed may quote people. Those words of an alert's evidence may go by an erasure, and nothing else of it.
CREATE OR REPLACE TRIGGER alert_10_fixed BEFORE UPDATE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('alert_keeps_its_evidence', 'debate_id', 'evaluation_id', 'code', 'severity', 'facts_digest',
    'at', 'public_id');
CREATE OR REPLACE TRIGGER alert_11_words BEFORE UPDATE ON scoring_alert FOR EACH ROW
  WHEN (NEW.evidence::text <> OLD.evidence::text
        AND NOT (moot_erases(OLD.debate_id) AND NEW.evidence::text = (OLD.evidence - 'why')::text))
  EXECUTE FUNCTION moot_refuse('alert_keeps_its_evidence');
-- What came again while an alert was open is added to it, and never taken away.
CREATE OR REPLACE FUNCTION moot_alert_again() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF OLD.state <> 'open' OR jsonb_array_length(NEW.again) <> jsonb_array_length(OLD.again) + 1
     OR (NEW.again - (-1))::text <> OLD.again::text THEN
    RAISE check_violation USING MESSAGE = 'an open alert counts what comes again, one at a time',
      CONSTRAINT = 'alert_counts_what_comes_again';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER alert_12_again BEFORE UPDATE ON scoring_alert FOR EACH ROW
  WHEN (NEW.again::text <> OLD.again::text) EXECUTE FUNCTION moot_alert_again();
-- Whoever changes where an alert stands says why anew, and that is kept: every answer is a row, which the database writes.
CREATE OR REPLACE TRIGGER alert_13_answered BEFORE UPDATE ON scoring_alert FOR EACH ROW
  WHEN ((OLD.state, OLD.handled_by_id, OLD.handled_because_id, OLD.handled_at)
      IS DISTINCT FROM (NEW.state, NEW.handled_by_id, NEW.handled_because_id, NEW.handled_at)
    AND (NEW.handled_by_id IS NULL OR NEW.handled_because_id IS NULL OR NEW.handled_at IS NULL
      OR NEW.handled_because_id IS NOT DISTINCT FROM OLD.handled_because_id))
  EXECUTE FUNCTION moot_refuse('alert_handled_says_who_and_why');
CREATE OR REPLACE FUNCTION moot_alert_answer() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.handled_because_id IS NOT NULL
     AND (TG_OP = 'INSERT' OR NEW.handled_because_id IS DISTINCT FROM OLD.handled_because_id) THEN
    INSERT INTO scoring_alertanswer (alert_id, debate_id, state, by_id, by_organiser, because_id, at)
    VALUES (NEW.id, NEW.debate_id, NEW.state, NEW.handled_by_id, NEW.handled_by_organiser, NEW.handled_because_id,
      NEW.handled_at);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER alert_20_answer AFTER INSERT OR UPDATE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_alert_answer();
CREATE OR REPLACE TRIGGER alertanswer_10_written BEFORE INSERT ON scoring_alertanswer FOR EACH ROW
  WHEN (pg_trigger_depth() < 1) EXECUTE FUNCTION moot_refuse('alert_answer_is_of_its_alert');
CREATE OR REPLACE TRIGGER alertanswer_30_kept BEFORE UPDATE OR DELETE ON scoring_alertanswer FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('alert_answer_is_kept');
CREATE OR REPLACE TRIGGER alertanswer_40_truncate BEFORE TRUNCATE ON scoring_alertanswer FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('alert_answer_is_kept');
CREATE OR REPLACE TRIGGER alert_30_kept BEFORE DELETE ON scoring_alert FOR EACH ROW EXECUTE FUNCTION moot_refuse('alert_is_kept');
CREATE OR REPLACE TRIGGER alert_40_truncate BEFORE TRUNCATE ON scoring_alert FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('alert_is_kept');

-- remark
CREATE OR REPLACE TRIGGER remark_30_kept BEFORE UPDATE OR DELETE ON scoring_remark FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('remark_is_kept');
CREATE OR REPLACE TRIGGER remark_40_truncate BEFORE TRUNCATE ON scoring_remark FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('remark_is_kept');

-- approval
-- Actors carry the role of the moment, so one person may be several actors: persons are compared, not actors.
CREATE OR REPLACE FUNCTION moot_approval_decided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.state = 'approved'
     AND (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.decided_by_id)
         IS NOT DISTINCT FROM (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.requested_by_id) THEN
    RAISE check_violation USING MESSAGE = 'whoever asks for an approval does not give it',
      CONSTRAINT = 'approval_is_given_by_a_second_person';
  END IF;
  IF NEW.state = 'approved'
     AND moot_lost_appeal((SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.decided_by_id),
                          NEW.evaluation_id, 'override', NEW.entry_id) THEN
    RAISE check_violation USING MESSAGE = 'whoever lost an appeal on this score approves nothing there',
      CONSTRAINT = 'appeal_is_not_undone_by_who_lost_it';
  END IF;
  IF NEW.entry_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM scoring_scorechange s
       WHERE s.id = NEW.entry_id AND s.evaluation_id = NEW.evaluation_id AND s.sequence > NEW.seen
         AND s.actor_kind <> 'engine'
         AND (NEW.state <> 'approved' OR (s.kind, s.override_after, s.actor_id, s.reason_id, s.covered_by_id)
              IS NOT DISTINCT FROM ('override', NEW.value, NEW.requested_by_id, NEW.because_id, NEW.id))) THEN
    RAISE check_violation USING MESSAGE = 'this is not the entry that decided the request',
      CONSTRAINT = 'approval_names_the_entry_that_decided_it';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER approval_05_waits BEFORE INSERT ON scoring_approval FOR EACH ROW WHEN (NEW.state <> 'waiting')
  EXECUTE FUNCTION moot_refuse('approval_begins_by_waiting');
CREATE OR REPLACE TRIGGER approval_10_fixed BEFORE UPDATE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('approval_keeps_what_was_asked', 'public_id', 'evaluation_id', 'value', 'value_seen', 'seen',
    'door', 'reason_code', 'idempotency_key', 'requested_by_id', 'because_id', 'requested_at');
CREATE OR REPLACE TRIGGER approval_11_once BEFORE UPDATE ON scoring_approval FOR EACH ROW WHEN (OLD.state <> 'waiting')
  EXECUTE FUNCTION moot_refuse('approval_is_decided_once');
CREATE OR REPLACE TRIGGER approval_20_decided BEFORE UPDATE ON scoring_approval FOR EACH ROW WHEN (NEW.state <> 'waiting')
  EXECUTE FUNCTION moot_approval_decided();
CREATE OR REPLACE TRIGGER approval_30_kept BEFORE DELETE ON scoring_approval FOR EACH ROW EXECUTE FUNCTION moot_refuse('approval_is_kept');
CREATE OR REPLACE TRIGGER approval_40_truncate BEFORE TRUNCATE ON scoring_approval FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('approval_is_kept');

-- rescoreset
-- It shows the names of accounts as they were, until these are erased.
CREATE OR REPLACE FUNCTION moot_lines_without_names(lines jsonb) RETURNS jsonb LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT jsonb_agg(CASE WHEN EXISTS (SELECT FROM scoring_evaluation e WHERE e.public_id::text = line ->> 'evaluation'
      AND moot_erases_voice(e.participant_id)) THEN line || '{"name": "[erased]"}' ELSE line END ORDER BY place)
  FROM jsonb_array_elements(lines) WITH ORDINALITY AS a(line, place)
$$;

ALTER TABLE scoring_rescoreset DROP CONSTRAINT IF EXISTS rescore_has_1_to_500_lines;
ALTER TABLE scoring_rescoreset ADD CONSTRAINT rescore_has_1_to_500_lines
  CHECK (CASE WHEN jsonb_typeof(lines) = 'array' THEN jsonb_array_length(lines) BETWEEN 1 AND 500 ELSE false END);
ALTER TABLE scoring_rescoreset DROP CONSTRAINT IF EXISTS rescore_applies_to_some;
ALTER TABLE scoring_rescoreset ADD CONSTRAINT rescore_applies_to_some
  CHECK (left_out = '{}' OR jsonb_typeof(lines) = 'array' AND cardinality(left_out) < jsonb_array_length(lines));
CREATE OR REPLACE TRIGGER rescore_05_staged BEFORE INSERT ON scoring_rescoreset FOR EACH ROW WHEN (NEW.state <> 'staged')
  EXECUTE FUNCTION moot_refuse('rescore_begins_staged');
CREATE OR REPLACE TRIGGER rescore_10_fixed BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('rescore_keeps_what_was_previewed', 'public_id', 'action', 'choice', 'reason_code',
    'staged_by_id', 'because_id', 'staged_at');
CREATE OR REPLACE TRIGGER rescore_11_once BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  WHEN (OLD.state <> 'staged'
        AND (NEW.lines::text = OLD.lines::text
             OR (to_jsonb(NEW) - 'lines')::text <> (to_jsonb(OLD) - 'lines')::text))
  EXECUTE FUNCTION moot_refuse('rescore_is_decided_once');
CREATE OR REPLACE TRIGGER rescore_12_names BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  WHEN (NEW.lines::text <> OLD.lines::text AND NEW.lines::text <> moot_lines_without_names(OLD.lines)::text)
  EXECUTE FUNCTION moot_refuse('rescore_keeps_what_was_previewed');
CREATE OR REPLACE TRIGGER rescore_30_kept BEFORE DELETE ON scoring_rescoreset FOR EACH ROW EXECUTE FUNCTION moot_refuse('rescore_is_kept');
CREATE OR REPLACE TRIGGER rescore_40_truncate BEFORE TRUNCATE ON scoring_rescoreset FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('rescore_is_kept');

-- threshold
CREATE OR REPLACE TRIGGER threshold_10_kept BEFORE UPDATE OR DELETE ON scoring_threshold FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('threshold_is_kept');
CREATE OR REPLACE TRIGGER threshold_20_truncate BEFORE TRUNCATE ON scoring_threshold FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('threshold_is_kept');

-- conflict
-- Whether somebody posted rulings that counted in a debate that is conducted elsewhere, and neither created nor organises it.
-- Each part of a posted round is a call that names who posted it; its table is younger than this file.
CREATE OR REPLACE FUNCTION moot_posted(person bigint, debate bigint) RETURNS boolean LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  RETURN EXISTS (SELECT FROM judging_call c JOIN scoring_actor a ON a.id::text = c.parameters ->> 'posted_by'
      WHERE c.debate_id = debate AND c.outcome = 'used' AND a.user_id = person)
    AND NOT EXISTS (SELECT FROM debates_debate d WHERE d.id = debate AND d.created_by_id = person)
    AND NOT EXISTS (SELECT FROM debates_membership m WHERE m.debate_id = debate AND m.user_id = person
      AND m.role = 'organiser' AND m.revoked_at IS NULL);
END $$;

-- Who has an interest in a debate, and which: `speaks` or `judges` there (from a seat or in a role, also one that was taken
-- back), was `invited` to, is `declared` to have one, or `posted` its rulings. Nothing for everybody else. Who came by an invitation was invited
-- for ever; whom it is addressed to while they can come by it, and where they took it back themselves, or nobody says who
-- did, as if they had not: nobody gets free so, and nobody is kept out for ever by being invited.
CREATE OR REPLACE FUNCTION moot_party(person bigint, debate bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT i.kind FROM (
    SELECT 1 AS place, CASE WHEN p.role IN ('judge', 'arbiter') THEN 'judges' ELSE 'speaks' END AS kind FROM debates_participant p
      WHERE p.debate_id = debate AND p.user_id = person
    UNION ALL SELECT 2, CASE m.role WHEN 'judge' THEN 'judges' ELSE 'speaks' END FROM debates_membership m
      WHERE m.debate_id = debate AND m.user_id = person AND m.role IN ('participant', 'judge')
    UNION ALL SELECT 3, 'invited' FROM debates_invitation v
      WHERE v.debate_id = debate AND (v.seat_id IS NOT NULL OR v.role IN ('participant', 'judge'))
        AND (EXISTS (SELECT FROM debates_acceptance a WHERE a.invitation_id = v.id AND a.user_id = person)
          OR (v.revoked_at IS NULL OR coalesce(v.revoked_by_id, person) = person) AND v.expires_at > transaction_timestamp()
             AND (v.addressee_id = person
               OR v.email <> '' AND lower(v.email) = (SELECT lower(u.email) FROM auth_user u WHERE u.id = person)))
    UNION ALL SELECT 4, 'declared' FROM scoring_conflict c
      WHERE c.debate_id = debate AND c.person_id = person AND c.withdraws_id IS NULL
        AND NOT EXISTS (SELECT FROM scoring_conflict w WHERE w.withdraws_id = c.id)
    UNION ALL SELECT 5, 'posted' WHERE moot_posted(person, debate)
  ) i ORDER BY i.place LIMIT 1
$$;

-- Who created a debate, or organises it or ever did.
CREATE OR REPLACE FUNCTION moot_organises(person bigint, debate bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM debates_debate d WHERE d.id = debate AND d.created_by_id = person)
    OR EXISTS (SELECT FROM debates_membership m WHERE m.debate_id = debate AND m.user_id = person AND m.role = 'organiser')
$$;

CREATE OR REPLACE FUNCTION moot_organisers_moderate() RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT coalesce((SELECT r.moderate FROM scoring_organiserrule r ORDER BY r.id DESC LIMIT 1), true)
$$;

-- Why somebody does not sit on a seat of a debate: they have `part` in it from another seat, in a role or by a declaration
-- (who judges speaks nowhere and judges once, and who speaks does not judge), or they `organise` where they would judge,
-- or `unsealed` a ballot there and so do not judge by themselves.
CREATE OR REPLACE FUNCTION moot_kept_from_seat(person bigint, seat bigint) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM debates_participant p WHERE p.debate_id = s.debate_id AND p.user_id = person AND p.id <> s.id
        AND (judges OR p.role IN ('judge', 'arbiter'))) THEN 'part'
    WHEN judges AND (
      EXISTS (SELECT FROM debates_membership m WHERE m.debate_id = s.debate_id AND m.user_id = person AND m.role = 'participant')
      OR EXISTS (SELECT FROM scoring_conflict c WHERE c.debate_id = s.debate_id AND c.person_id = person
        AND c.withdraws_id IS NULL AND NOT EXISTS (SELECT FROM scoring_conflict w WHERE w.withdraws_id = c.id))) THEN 'part'
    WHEN judges AND moot_organises(person, s.debate_id) THEN 'organises'
    WHEN judges AND EXISTS (SELECT FROM scoring_brokenseal b WHERE b.debate_id = s.debate_id AND b.person_id = person) THEN 'unsealed'
  END
  FROM debates_participant s, LATERAL (SELECT s.role IN ('judge', 'arbiter') AS judges) kind WHERE s.id = seat
$$;

-- Of two parts in a debate that somebody gets at the same moment one waits for the other, and sees it; as does whoever breaks
-- a seal there for whoever gets a seat.
CREATE OR REPLACE FUNCTION moot_gets_a_part(debate bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM moot_sees_what_is_committed();
  PERFORM FROM debates_debate d WHERE d.id = debate FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM moot_is_missing('debate', debate);
  END IF;
END $$;

-- Asked once the row is there, so that it is the seat that it became; and again with each ballot from it.
CREATE OR REPLACE FUNCTION moot_judge_is_apart() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  seat bigint := CASE TG_TABLE_NAME WHEN 'debates_ballot' THEN to_jsonb(NEW) ->> 'participant_id' ELSE to_jsonb(NEW) ->> 'id' END;
  person bigint := (SELECT p.user_id FROM debates_participant p WHERE p.id = seat);
  kept text;
BEGIN
  IF TG_TABLE_NAME <> 'debates_ballot' THEN
    PERFORM moot_gets_a_part((to_jsonb(NEW) ->> 'debate_id')::bigint);
  END IF;
  kept := moot_kept_from_seat(person, seat);
  IF person IS NOT NULL AND kept IN ('part', 'unsealed') THEN
    RAISE check_violation USING MESSAGE = format('person %s has a part in the debate of seat %s', person, seat),
      CONSTRAINT = 'judge_has_no_other_part_in_the_debate';
  ELSIF person IS NOT NULL AND kept = 'organises' THEN
    RAISE check_violation USING MESSAGE = format('person %s organises the debate of seat %s', person, seat),
      CONSTRAINT = 'judge_does_not_organise_the_debate';
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER participant_60_judge_apart AFTER INSERT ON debates_participant FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION moot_judge_is_apart();
CREATE OR REPLACE TRIGGER participant_61_judge_apart AFTER UPDATE ON debates_participant FOR EACH ROW
  WHEN (NEW.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id) EXECUTE FUNCTION moot_judge_is_apart();
CREATE OR REPLACE TRIGGER ballot_60_judge_apart AFTER INSERT ON debates_ballot FOR EACH ROW
  EXECUTE FUNCTION moot_judge_is_apart();

-- Nor does who judges there get a role in which they would judge no more.
CREATE OR REPLACE FUNCTION moot_role_is_apart() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM moot_gets_a_part(NEW.debate_id);
  IF EXISTS (SELECT FROM debates_participant p
      WHERE p.debate_id = NEW.debate_id AND p.user_id = NEW.user_id AND p.role IN ('judge', 'arbiter')
        AND NOT EXISTS (SELECT FROM scoring_replacedjudge r WHERE r.judge_id = p.id)) THEN
    RAISE check_violation USING MESSAGE = format('person %s judges in debate %s', NEW.user_id, NEW.debate_id),
      CONSTRAINT = 'judge_has_no_other_part_in_the_debate';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER membership_60_judge_apart BEFORE INSERT ON debates_membership FOR EACH ROW
  WHEN (NEW.role IN ('organiser', 'participant')) EXECUTE FUNCTION moot_role_is_apart();

-- Nobody acts whose account is closed, nor while they are erased: their name and words would come back.
CREATE OR REPLACE FUNCTION moot_keeps_open(person bigint) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT moot_account_is_open(person) AND person IS NOT NULL THEN
    RAISE check_violation USING MESSAGE = format('the account of person %s is closed', person),
      CONSTRAINT = 'nobody_acts_whose_account_is_closed';
  END IF;
END $$;

-- Whoever moderates is no party, and the act says where it is its organiser's. moot_no_party(where.actor, mark, act, ...):
-- how the row leads to its debate, the column of the actor, the column that says so, or '', and the columns that an act of
-- theirs changes. Persons are compared, not actors. An UPDATE that leaves the actor and all of these as they are is nobody's
-- act: an alert that comes again, an erasure, what somebody else did.
CREATE OR REPLACE FUNCTION moot_no_party() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  place text := split_part(TG_ARGV[0], '.', 1);
  called text := split_part(TG_ARGV[0], '.', 2);
  said jsonb := to_jsonb(NEW);
  person bigint;
  concerned bigint[];
  own boolean;
BEGIN
  PERFORM moot_sees_what_is_committed();
  IF said ->> called IS NULL OR TG_OP = 'UPDATE' AND said ->> called = to_jsonb(OLD) ->> called
     AND NOT EXISTS (SELECT FROM unnest(TG_ARGV[2:]) act WHERE said -> act IS DISTINCT FROM to_jsonb(OLD) -> act) THEN
    RETURN CASE WHEN TG_ARGV[1] = '' THEN NEW
      ELSE jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[1], coalesce((to_jsonb(OLD) ->> TG_ARGV[1])::boolean, false))) END;
  END IF;
  SELECT a.user_id INTO person FROM scoring_actor a WHERE a.id = (said ->> called)::bigint;
  IF NOT FOUND THEN
    PERFORM moot_is_missing('actor', (said ->> called)::bigint);
  END IF;
  PERFORM moot_keeps_open(person);
  concerned := CASE place
    WHEN 'debate' THEN ARRAY[(said ->> 'debate_id')::bigint]
    WHEN 'evaluation' THEN ARRAY(SELECT e.debate_id FROM scoring_evaluation e WHERE e.id = (said ->> 'evaluation_id')::bigint)
    ELSE ARRAY(SELECT DISTINCT e.debate_id FROM jsonb_array_elements(
        CASE jsonb_typeof(said -> 'lines') WHEN 'array' THEN said -> 'lines' ELSE '[]' END) line
      JOIN scoring_evaluation e ON e.public_id::text = line ->> 'evaluation'
      WHERE NOT said -> 'left_out' @> to_jsonb(e.id))
  END;
  IF EXISTS (SELECT FROM unnest(concerned) AS d WHERE moot_party(person, d) IS NOT NULL) THEN
    RAISE check_violation USING MESSAGE = format('person %s is a party in what %s moderates', person, TG_TABLE_NAME),
      CONSTRAINT = 'no_party_moderates_its_debate';
  END IF;
  own := EXISTS (SELECT FROM unnest(concerned) AS d WHERE moot_organises(person, d));
  IF own AND NOT moot_organisers_moderate() THEN
    RAISE check_violation USING MESSAGE = format('person %s organises what %s moderates', person, TG_TABLE_NAME),
      CONSTRAINT = 'organiser_moderates_where_the_site_says_so';
  END IF;
  RETURN CASE WHEN TG_ARGV[1] = '' THEN NEW ELSE jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[1], own)) END;
END $$;

-- Nor does a party conduct what they neither created nor organise now. moot_no_party_conducts(where.account).
CREATE OR REPLACE FUNCTION moot_no_party_conducts() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  called text := split_part(TG_ARGV[0], '.', 2);
  person bigint := (to_jsonb(NEW) ->> called)::bigint;
BEGIN
  PERFORM moot_sees_what_is_committed();
  IF TG_OP = 'UPDATE' AND person IS NOT DISTINCT FROM (to_jsonb(OLD) ->> called)::bigint AND NEW.debate_id = OLD.debate_id
     OR EXISTS (SELECT FROM debates_debate d WHERE d.id = NEW.debate_id AND d.created_by_id = person)
     OR EXISTS (SELECT FROM debates_membership m WHERE m.debate_id = NEW.debate_id AND m.user_id = person
       AND m.role = 'organiser' AND m.revoked_at IS NULL) THEN
    RETURN NEW;
  ELSIF moot_party(person, NEW.debate_id) IS NOT NULL THEN
    RAISE check_violation USING MESSAGE = format('person %s is a party in what %s is about', person, TG_TABLE_NAME),
      CONSTRAINT = 'no_party_moderates_its_debate';
  ELSIF moot_organises(person, NEW.debate_id) AND NOT moot_organisers_moderate() THEN
    RAISE check_violation USING MESSAGE = format('person %s organised what %s is about', person, TG_TABLE_NAME),
      CONSTRAINT = 'organiser_moderates_where_the_site_says_so';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER invitation_07_no_party BEFORE INSERT ON debates_invitation FOR EACH ROW
  WHEN (NEW.debate_id IS NOT NULL AND NEW.created_by_id IS NOT NULL) EXECUTE FUNCTION moot_no_party_conducts('debate.created_by_id');
CREATE OR REPLACE TRIGGER invitation_08_no_party BEFORE UPDATE ON debates_invitation FOR EACH ROW
  WHEN (NEW.debate_id IS NOT NULL AND NEW.revoked_by_id IS NOT NULL) EXECUTE FUNCTION moot_no_party_conducts('debate.revoked_by_id');

CREATE OR REPLACE TRIGGER entry_12_no_party BEFORE INSERT ON scoring_scorechange FOR EACH ROW
  WHEN (NEW.actor_id IS NOT NULL OR NEW.by_organiser) EXECUTE FUNCTION moot_no_party('evaluation.actor_id', 'by_organiser');
CREATE OR REPLACE TRIGGER approval_06_no_party BEFORE INSERT OR UPDATE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('evaluation.requested_by_id', 'requested_by_organiser');
CREATE OR REPLACE TRIGGER approval_07_no_party BEFORE INSERT OR UPDATE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('evaluation.decided_by_id', 'decided_by_organiser', 'state', 'decided_because_id',
    'decided_at', 'entry_id');
CREATE OR REPLACE TRIGGER alert_05_no_party BEFORE INSERT OR UPDATE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.handled_by_id', 'handled_by_organiser', 'state', 'handled_because_id', 'handled_at');
CREATE OR REPLACE TRIGGER remark_06_no_party BEFORE INSERT ON scoring_remark FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('evaluation.by_id', '');
CREATE OR REPLACE TRIGGER rescore_06_no_party BEFORE INSERT ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('lines.staged_by_id', '');
CREATE OR REPLACE TRIGGER rescore_07_no_party BEFORE UPDATE ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('lines.decided_by_id', '', 'state', 'left_out', 'decided_because_id', 'decided_at');

-- brokenseal
-- A seal is broken by whom the act is of, while there is one: once its round is closed the ballot is a report.
CREATE OR REPLACE FUNCTION moot_seal_is_broken() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_ballot b JOIN debates_participant seat ON seat.id = b.participant_id
    JOIN scoring_actor a ON a.id = NEW.by_id
    WHERE b.id = NEW.ballot_id AND seat.debate_id = NEW.debate_id AND a.user_id = NEW.person_id
  ) THEN
    RAISE check_violation USING MESSAGE = format('ballot %s, its debate and who breaks its seal do not fit', NEW.ballot_id),
      CONSTRAINT = 'broken_seal_is_of_its_ballot_and_person';
  END IF;
  PERFORM moot_gets_a_part(NEW.debate_id);
  PERFORM FROM debates_round played JOIN debates_ballot b ON b.round_id = played.id
    WHERE b.id = NEW.ballot_id AND b.about_id IS NULL AND played.closed_at IS NULL FOR SHARE OF played;
  IF NOT FOUND THEN
    RAISE check_violation USING MESSAGE = format('ballot %s counts already and has no seal', NEW.ballot_id),
      CONSTRAINT = 'seal_is_broken_before_its_round_closes';
  END IF;
  NEW.at := clock_timestamp();  -- an appeal's decision is compared with it
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER brokenseal_05_fits BEFORE INSERT ON scoring_brokenseal FOR EACH ROW
  EXECUTE FUNCTION moot_seal_is_broken();
CREATE OR REPLACE TRIGGER brokenseal_06_no_party BEFORE INSERT ON scoring_brokenseal FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.by_id', 'by_organiser');
CREATE OR REPLACE TRIGGER brokenseal_30_kept BEFORE UPDATE OR DELETE ON scoring_brokenseal FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('broken_seal_is_kept');
CREATE OR REPLACE TRIGGER brokenseal_40_truncate BEFORE TRUNCATE ON scoring_brokenseal FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('broken_seal_is_kept');

-- replacedjudge
-- A judge who is no engine is replaced before they report, by a seat of the same place that nobody has taken yet. From then on
-- they give no ballot, and report nothing.
CREATE OR REPLACE FUNCTION moot_judge_is_replaced() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM debates_participant judge JOIN debates_participant successor ON successor.id = NEW.successor_id
    WHERE judge.id = NEW.judge_id AND judge.debate_id = NEW.debate_id AND successor.debate_id = NEW.debate_id
      AND judge.role = 'judge' AND successor.role = 'judge' AND judge.position = successor.position
      AND judge.kind <> 'engine' AND successor.kind <> 'engine' AND successor.id > judge.id AND successor.user_id IS NULL
  ) THEN
    RAISE check_violation USING MESSAGE = format('seat %s does not replace judge %s', NEW.successor_id, NEW.judge_id),
      CONSTRAINT = 'judge_is_replaced_in_their_place';
  END IF;
  PERFORM FROM debates_participant judge WHERE judge.id = NEW.judge_id FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM judging_judgereport report WHERE report.participant_id = NEW.judge_id) THEN
    RAISE check_violation USING MESSAGE = format('judge %s has reported', NEW.judge_id),
      CONSTRAINT = 'judge_is_replaced_before_they_report';
  END IF;
  NEW.at := clock_timestamp();  -- an appeal's decision is compared with it
  RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION moot_judge_stays_replaced() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM debates_participant judge WHERE judge.id = NEW.participant_id FOR SHARE;
  IF EXISTS (SELECT FROM scoring_replacedjudge replaced WHERE replaced.judge_id = NEW.participant_id) THEN
    RAISE check_violation USING MESSAGE = format('judge %s was replaced', NEW.participant_id),
      CONSTRAINT = 'replaced_judge_judges_no_more';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER replacedjudge_05_fits BEFORE INSERT ON scoring_replacedjudge FOR EACH ROW
  EXECUTE FUNCTION moot_judge_is_replaced();
CREATE OR REPLACE TRIGGER replacedjudge_06_no_party BEFORE INSERT ON scoring_replacedjudge FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.by_id', 'by_organiser');
CREATE OR REPLACE TRIGGER replacedjudge_30_kept BEFORE UPDATE OR DELETE ON scoring_replacedjudge FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('replaced_judge_is_kept');
CREATE OR REPLACE TRIGGER replacedjudge_40_truncate BEFORE TRUNCATE ON scoring_replacedjudge FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('replaced_judge_is_kept');
CREATE OR REPLACE TRIGGER ballot_06_replaced BEFORE INSERT ON debates_ballot FOR EACH ROW
  EXECUTE FUNCTION moot_judge_stays_replaced();
CREATE OR REPLACE TRIGGER awaitedturn_06_replaced BEFORE INSERT ON debates_awaitedturn FOR EACH ROW
  EXECUTE FUNCTION moot_judge_stays_replaced();

-- What was declared stays on record; it is withdrawn by a row of its own, and what somebody else declared by somebody else.
CREATE OR REPLACE FUNCTION moot_conflict_fits() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  declared scoring_conflict;
  author bigint;
BEGIN
  SELECT a.user_id INTO author FROM scoring_actor a WHERE a.id = NEW.by_id;
  IF NOT FOUND THEN
    PERFORM moot_is_missing('actor', NEW.by_id);
  END IF;
  PERFORM moot_keeps_open(author);
  IF NEW.withdraws_id IS NOT NULL THEN
    SELECT * INTO declared FROM scoring_conflict c WHERE c.id = NEW.withdraws_id;
    IF declared.withdraws_id IS NOT NULL
       OR (declared.debate_id, declared.person_id) IS DISTINCT FROM (NEW.debate_id, NEW.person_id) THEN
      RAISE check_violation USING MESSAGE = 'a withdrawal is of a declaration about the same person and debate',
        CONSTRAINT = 'conflict_withdrawal_is_of_a_declaration';
    END IF;
    IF author = NEW.person_id
       AND (SELECT a.user_id FROM scoring_actor a WHERE a.id = declared.by_id) IS DISTINCT FROM author THEN
      RAISE check_violation USING MESSAGE = 'what somebody else declared is withdrawn by somebody else',
        CONSTRAINT = 'conflict_is_not_withdrawn_by_its_person';
    END IF;
  END IF;
  IF author <> NEW.person_id AND moot_party(author, NEW.debate_id) IS NOT NULL THEN
    RAISE check_violation USING MESSAGE = format('person %s is a party and says nothing of others', author),
      CONSTRAINT = 'no_party_moderates_its_debate';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER conflict_10_fits BEFORE INSERT ON scoring_conflict FOR EACH ROW
  EXECUTE FUNCTION moot_conflict_fits();
CREATE OR REPLACE TRIGGER conflict_30_kept BEFORE UPDATE OR DELETE ON scoring_conflict FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('conflict_is_kept');
CREATE OR REPLACE TRIGGER conflict_40_truncate BEFORE TRUNCATE ON scoring_conflict FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('conflict_is_kept');

-- appeal
-- Whether a later entry of the same score can have voided an earlier one.
CREATE OR REPLACE FUNCTION moot_can_void(later scoring_scorechange, earlier scoring_scorechange) RETURNS boolean LANGUAGE sql IMMUTABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT later.evaluation_id = earlier.evaluation_id AND later.sequence > earlier.sequence
    AND (later.kind = 'rerun' OR later.kind = 'rollback' AND later.target_sequence < earlier.sequence
      OR later.reason_code = 'undo')
$$;

-- Whether an entry names a ruling, or changed whether it counts or is held.
CREATE OR REPLACE FUNCTION moot_moves(entry scoring_scorechange, ruling bigint) RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT ruling = ANY (entry.facts) OR ruling = ANY (entry.basis || entry.held) <> EXISTS (
    SELECT FROM scoring_scorechange before
    WHERE before.evaluation_id = entry.evaluation_id AND before.sequence = entry.sequence - 1
      AND ruling = ANY (before.basis || before.held))
$$;

-- Whether somebody acted on what an appeal is against: wrote the entry, or one that moves the ruling, or any in the debate
-- whose result it is; asked for or approved it; or staged or applied the set that it came from; or, of a result, broke a
-- seal or replaced a judge; or appeals against the same, or did. What was done for an appeal since this one was filed does
-- not count, because it may allow it; nobody dismisses an appeal after acting so, or finds it moot. Nor does whoever may
-- have voided the entry find it moot. ``before`` leaves out what came only then, unless it came before the entry ``act``: of
-- entries that a clock which is off gave one and the same time, the database's numbers say which came first.
DROP FUNCTION IF EXISTS moot_acted(bigint, scoring_appeal);
DROP FUNCTION IF EXISTS moot_acted(bigint, scoring_appeal, timestamptz);
CREATE OR REPLACE FUNCTION moot_acted(person bigint, about scoring_appeal, act bigint DEFAULT NULL,
  before timestamptz DEFAULT 'infinity') RETURNS boolean LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  WITH own AS (SELECT a.id FROM scoring_actor a WHERE a.user_id = person),
  acts AS (
    SELECT s.id, s.actor_id, s.reason_id, s.covered_by_id FROM scoring_scorechange s
      JOIN scoring_evaluation e ON e.id = s.evaluation_id
    WHERE e.debate_id = about.debate_id AND s.actor_kind <> 'engine' AND (s.id < act OR s.at < before)
      AND NOT (s.reason_code = 'appeal' AND s.at >= about.filed_at AND about.state NOT IN ('dismissed', 'moot'))
      AND CASE WHEN about.entry_id IS NOT NULL THEN s.id = about.entry_id OR about.state = 'moot'
                 AND moot_can_void(s, (SELECT x FROM scoring_scorechange x WHERE x.id = about.entry_id))
               WHEN about.fact_id IS NOT NULL THEN moot_moves(s, about.fact_id) ELSE true END)
  SELECT EXISTS (SELECT FROM acts s JOIN own ON own.id = s.actor_id)
    OR EXISTS (SELECT FROM scoring_approval p JOIN own ON own.id IN (p.requested_by_id, p.decided_by_id)
      WHERE p.state = 'approved' AND (p.entry_id IN (SELECT id FROM acts) OR p.id IN (SELECT covered_by_id FROM acts)))
    OR EXISTS (SELECT FROM scoring_rescoreset r JOIN own ON own.id IN (r.staged_by_id, r.decided_by_id)
      WHERE r.because_id IN (SELECT reason_id FROM acts))
    OR about.entry_id IS NULL AND about.fact_id IS NULL AND EXISTS (
      SELECT FROM scoring_brokenseal b JOIN own ON own.id = b.by_id WHERE b.debate_id = about.debate_id AND b.at < before
      UNION ALL
      SELECT FROM scoring_replacedjudge r JOIN own ON own.id = r.by_id WHERE r.debate_id = about.debate_id AND r.at < before)
    OR EXISTS (SELECT FROM scoring_appeal o WHERE o.person_id = person AND o.debate_id = about.debate_id AND o.filed_at < before
      AND (o.entry_id, o.fact_id, o.result_at) IS NOT DISTINCT FROM (about.entry_id, about.fact_id, about.result_at))
$$;

-- Whether somebody lost an appeal that was allowed by an act on a score, and nobody else has decided on that score since then:
-- they do nothing there but freeze it, and do not freeze what was unfrozen for it. Who lost is who had acted on what it was
-- against when it was decided; what is done later makes nobody lose, and what was done before then does not end it. Nor
-- does ``besides``, the entry that they are to approve.
DROP FUNCTION IF EXISTS moot_lost_appeal(bigint, bigint, text);
CREATE OR REPLACE FUNCTION moot_lost_appeal(person bigint, score bigint, act text, besides bigint DEFAULT NULL) RETURNS boolean
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM scoring_scorechange s JOIN scoring_appeal a ON a.act_id = s.id
    WHERE s.evaluation_id = score AND (act <> 'freeze' OR s.kind = 'unfreeze')
      AND moot_acted(person, a, s.id, a.decided_at)
      AND NOT EXISTS (
        SELECT FROM scoring_scorechange o JOIN scoring_actor w ON w.id = o.actor_id
        WHERE o.evaluation_id = score AND o.id > s.id AND o.at > a.decided_at AND o.reason_id <> s.reason_id
          AND o.id IS DISTINCT FROM besides AND o.actor_kind <> 'engine' AND o.kind NOT IN ('freeze', 'unfreeze')
          AND w.user_id IS DISTINCT FROM person))
$$;

CREATE OR REPLACE FUNCTION moot_entry_keeps_appeal() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  person bigint := (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.actor_id);
BEGIN
  IF moot_lost_appeal(person, NEW.evaluation_id, NEW.kind) THEN
    RAISE check_violation USING MESSAGE = format('person %s lost an appeal that an act on this score allowed', person),
      CONSTRAINT = 'appeal_is_not_undone_by_who_lost_it';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER entry_13_appeal BEFORE INSERT ON scoring_scorechange FOR EACH ROW
  WHEN (NEW.actor_kind <> 'engine') EXECUTE FUNCTION moot_entry_keeps_appeal();

-- Whose appeal it is, when it was filed and against which result of several, the database says. What it is against belongs to its debate.
CREATE OR REPLACE FUNCTION moot_appeal_filed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  NEW.person_id := (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.appellant_id);
  PERFORM moot_keeps_open(NEW.person_id);
  NEW.filed_at := clock_timestamp();
  NEW.result_at := (SELECT d.concluded_at FROM debates_debate d
    WHERE d.id = NEW.debate_id AND NEW.entry_id IS NULL AND NEW.fact_id IS NULL);
  IF NEW.entry_id IS NOT NULL AND NOT EXISTS (SELECT FROM scoring_scorechange s JOIN scoring_evaluation e ON e.id = s.evaluation_id
                                              WHERE s.id = NEW.entry_id AND e.debate_id = NEW.debate_id)
     OR NEW.fact_id IS NOT NULL AND NOT EXISTS (SELECT FROM scoring_fact f JOIN scoring_evaluation e ON e.id = f.evaluation_id
                                                WHERE f.id = NEW.fact_id AND e.debate_id = NEW.debate_id) THEN
    RAISE check_violation USING MESSAGE = 'what the appeal is against is of another debate',
      CONSTRAINT = 'appeal_is_about_its_debate';
  END IF;
  RETURN NEW;
END $$;

-- Actors carry the role of the moment, so one person may be several actors: persons are compared, not actors.
CREATE OR REPLACE FUNCTION moot_appeal_decider() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  person bigint := (SELECT a.user_id FROM scoring_actor a WHERE a.id = coalesce(NEW.decided_by_id, NEW.claimed_by_id));
BEGIN
  IF moot_acted(person, NEW) THEN
    RAISE check_violation USING MESSAGE = format('person %s acted on what appeal %s is against, or appeals', person, NEW.id),
      CONSTRAINT = 'appeal_is_decided_by_somebody_who_did_not_act';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION moot_appeal_holder() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (SELECT a.user_id FROM scoring_actor a WHERE a.id = OLD.claimed_by_id)
     IS DISTINCT FROM (SELECT a.user_id FROM scoring_actor a WHERE a.id = NEW.decided_by_id) THEN
    RAISE check_violation USING MESSAGE = 'an appeal is decided by whoever has claimed it',
      CONSTRAINT = 'appeal_is_decided_by_its_holder';
  END IF;
  NEW.decided_at := clock_timestamp();  -- what is acted before and after is told by the clock of the entries
  RETURN NEW;
END $$;

-- The act that allows an appeal is whoever's decides it, written since it was filed, for it, where it can remedy anything;
-- and none that the next act voided, unless something was rolled back or undone since, or that its counterpart outdid. What
-- would be next waits for the decision, and sees it.
CREATE OR REPLACE FUNCTION moot_appeal_act() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM FROM scoring_evaluation e JOIN scoring_scorechange s ON s.evaluation_id = e.id
    WHERE s.id = NEW.act_id FOR NO KEY UPDATE OF e;
  IF NOT EXISTS (
    SELECT FROM scoring_scorechange s JOIN scoring_evaluation e ON e.id = s.evaluation_id
      JOIN scoring_actor a ON a.id = s.actor_id JOIN scoring_actor d ON d.id = NEW.decided_by_id
    WHERE s.id = NEW.act_id AND s.actor_kind <> 'engine' AND s.reason_code = 'appeal' AND s.at >= NEW.filed_at
      AND a.user_id = d.user_id AND e.debate_id = NEW.debate_id
      AND e.id = coalesce((SELECT x.evaluation_id FROM scoring_scorechange x WHERE x.id = NEW.entry_id),
        (SELECT f.evaluation_id FROM scoring_fact f WHERE f.id = NEW.fact_id), e.id)
      AND NOT EXISTS (
        SELECT FROM scoring_scorechange v
        WHERE v.evaluation_id = s.evaluation_id AND moot_can_void(v, s) AND v.reason_id <> s.reason_id AND NOT EXISTS (
          SELECT FROM scoring_scorechange o
          WHERE o.evaluation_id = s.evaluation_id AND o.sequence > s.sequence AND o.actor_kind <> 'engine'
            AND o.reason_id NOT IN (s.reason_id, v.reason_id)
            AND (o.sequence < v.sequence OR o.kind = 'rollback' OR o.reason_code = 'undo')))
      AND NOT EXISTS (
        SELECT FROM scoring_scorechange o
        WHERE o.evaluation_id = s.evaluation_id AND o.sequence > s.sequence AND o.reason_code <> 'undo'
          AND (s.kind NOT IN ('strike', 'reinstate') OR s.facts <@ o.facts)
          AND (s.kind, s.override_after) IS DISTINCT FROM (o.kind, o.override_after)
          AND (s.kind, o.kind) IN (('override', 'override'), ('override', 'override_lifted'), ('override_lifted', 'override'),
            ('strike', 'reinstate'), ('reinstate', 'strike'), ('freeze', 'unfreeze'), ('unfreeze', 'freeze'))
          AND NOT EXISTS (SELECT FROM scoring_scorechange v WHERE v.evaluation_id = s.evaluation_id AND moot_can_void(v, o)))) THEN
    RAISE check_violation USING MESSAGE = 'this is not an act that allows the appeal',
      CONSTRAINT = 'appeal_names_the_act_that_allows_it';
  END IF;
  RETURN NEW;
END $$;

-- An appeal is moot only where something came that can have voided what it is against: a rollback to before the entry, a
-- rerun or an undo since; of a ruling, that it does not count; of a result, that there is none, or another one.
CREATE OR REPLACE FUNCTION moot_appeal_voided() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  stands boolean := CASE
    WHEN NEW.entry_id IS NOT NULL THEN NOT EXISTS (
      SELECT FROM scoring_scorechange x JOIN scoring_scorechange s ON s.evaluation_id = x.evaluation_id
      WHERE x.id = NEW.entry_id AND moot_can_void(s, x))
    WHEN NEW.fact_id IS NOT NULL THEN EXISTS (
      SELECT FROM scoring_fact f JOIN scoring_evaluation e ON e.id = f.evaluation_id
      WHERE f.id = NEW.fact_id AND f.id = ANY (e.basis || e.held))
    ELSE EXISTS (
      SELECT FROM debates_debate d
      WHERE d.id = NEW.debate_id AND d.status = 'concluded' AND d.concluded_at = NEW.result_at)
  END;
BEGIN
  IF stands THEN
    RAISE check_violation USING MESSAGE = format('what appeal %s is against still stands', NEW.id),
      CONSTRAINT = 'appeal_is_moot_only_where_it_is_void';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER appeal_05_open BEFORE INSERT ON scoring_appeal FOR EACH ROW WHEN (NEW.state <> 'open')
  EXECUTE FUNCTION moot_refuse('appeal_begins_open');
CREATE OR REPLACE TRIGGER appeal_06_filed BEFORE INSERT ON scoring_appeal FOR EACH ROW EXECUTE FUNCTION moot_appeal_filed();
CREATE OR REPLACE TRIGGER appeal_07_no_party BEFORE INSERT OR UPDATE ON scoring_appeal FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.claimed_by_id', '', 'state', 'lease_until');
CREATE OR REPLACE TRIGGER appeal_08_no_party BEFORE INSERT OR UPDATE ON scoring_appeal FOR EACH ROW
  EXECUTE FUNCTION moot_no_party('debate.decided_by_id', 'decided_by_organiser', 'state', 'decided_because_id',
    'decided_at', 'act_id');
CREATE OR REPLACE TRIGGER appeal_09_decider BEFORE UPDATE ON scoring_appeal FOR EACH ROW
  WHEN (coalesce(NEW.decided_by_id, NEW.claimed_by_id) IS NOT NULL) EXECUTE FUNCTION moot_appeal_decider();
CREATE OR REPLACE TRIGGER appeal_10_fixed BEFORE UPDATE ON scoring_appeal FOR EACH ROW
  EXECUTE FUNCTION moot_fixed('appeal_keeps_what_was_filed', 'public_id', 'debate_id', 'entry_id', 'fact_id', 'result_at',
    'person_id', 'appellant_id', 'ground', 'because_id', 'evidence', 'filed_at');
CREATE OR REPLACE TRIGGER appeal_11_once BEFORE UPDATE ON scoring_appeal FOR EACH ROW
  WHEN (OLD.state NOT IN ('open', 'claimed')) EXECUTE FUNCTION moot_refuse('appeal_is_decided_once');
CREATE OR REPLACE TRIGGER appeal_12_holder BEFORE UPDATE ON scoring_appeal FOR EACH ROW
  WHEN (NEW.decided_by_id IS NOT NULL) EXECUTE FUNCTION moot_appeal_holder();
CREATE OR REPLACE TRIGGER appeal_13_act BEFORE UPDATE ON scoring_appeal FOR EACH ROW WHEN (NEW.act_id IS NOT NULL)
  EXECUTE FUNCTION moot_appeal_act();
CREATE OR REPLACE TRIGGER appeal_14_moot BEFORE UPDATE ON scoring_appeal FOR EACH ROW WHEN (NEW.state = 'moot')
  EXECUTE FUNCTION moot_appeal_voided();
CREATE OR REPLACE TRIGGER appeal_30_kept BEFORE DELETE ON scoring_appeal FOR EACH ROW EXECUTE FUNCTION moot_refuse('appeal_is_kept');
CREATE OR REPLACE TRIGGER appeal_40_truncate BEFORE TRUNCATE ON scoring_appeal FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('appeal_is_kept');

-- organiserrule
CREATE OR REPLACE TRIGGER organiserrule_10_kept BEFORE UPDATE OR DELETE ON scoring_organiserrule FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('organiser_rule_is_kept');
CREATE OR REPLACE TRIGGER organiserrule_20_truncate BEFORE TRUNCATE ON scoring_organiserrule FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('organiser_rule_is_kept');

-- rubric
-- A version is written once, with its criteria, and stays: debates were made with it.
CREATE OR REPLACE FUNCTION moot_rubric_next() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.version <> 1 + coalesce((SELECT max(r.version) FROM scoring_rubric r WHERE r.slug = NEW.slug), 0) THEN
    RAISE check_violation USING MESSAGE = 'the next version of a rubric follows its newest one',
      CONSTRAINT = 'rubric_versions_have_no_gap';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER rubric_10_next BEFORE INSERT ON scoring_rubric FOR EACH ROW EXECUTE FUNCTION moot_rubric_next();
CREATE OR REPLACE TRIGGER rubric_30_kept BEFORE UPDATE OR DELETE ON scoring_rubric FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('rubric_version_is_kept');
CREATE OR REPLACE TRIGGER rubric_40_truncate BEFORE TRUNCATE ON scoring_rubric FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('rubric_version_is_kept');

-- criterion
-- All places of a version are taken when the transaction ends in which it is written, so that nothing can be added to it later.
CREATE OR REPLACE FUNCTION moot_rubric_complete() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.criteria_count <> (SELECT count(*) FROM scoring_criterion c WHERE c.rubric_id = NEW.id) THEN
    RAISE check_violation USING MESSAGE = format('rubric %s has not the criteria that it counts', NEW.id),
      CONSTRAINT = 'rubric_version_comes_with_its_criteria';
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS rubric_20_complete ON scoring_rubric;
CREATE CONSTRAINT TRIGGER rubric_20_complete AFTER INSERT ON scoring_rubric DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION moot_rubric_complete();
CREATE OR REPLACE FUNCTION moot_criterion_placed() RETURNS trigger LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF (NEW.position BETWEEN 1 AND (SELECT r.criteria_count FROM scoring_rubric r WHERE r.id = NEW.rubric_id)) IS NOT TRUE THEN
    RAISE check_violation USING MESSAGE = 'this version of the rubric has no place for another criterion',
      CONSTRAINT = 'criterion_has_a_place_in_its_version';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER criterion_10_placed BEFORE INSERT ON scoring_criterion FOR EACH ROW
  EXECUTE FUNCTION moot_criterion_placed();
CREATE OR REPLACE TRIGGER criterion_30_kept BEFORE UPDATE OR DELETE ON scoring_criterion FOR EACH ROW
  EXECUTE FUNCTION moot_refuse('criterion_is_kept');
CREATE OR REPLACE TRIGGER criterion_40_truncate BEFORE TRUNCATE ON scoring_criterion FOR EACH STATEMENT
  EXECUTE FUNCTION moot_refuse('criterion_is_kept');

-- What accounts rest on is sealed; what may change later, and what is left out, says scoring/sealed.py.
CREATE OR REPLACE TRIGGER evaluation_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_evaluation FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id', 'basis', 'computed_score', 'confidence', 'counted', 'debate_complete', 'debate_round_count',
    'final_score', 'frozen_at', 'head_hash', 'held', 'last_score_update', 'moderation_version', 'override_score',
    'run_number', 'version');
CREATE OR REPLACE TRIGGER fact_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_fact FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER scorechange_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_scorechange FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER actor_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_actor FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER reason_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_reason FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER internalnote_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_internalnote FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER alert_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_alert FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER alertanswer_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_alertanswer FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER remark_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_remark FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER appeal_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_appeal FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER approval_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_approval FOR EACH ROW
  EXECUTE FUNCTION moot_seal('evaluation', 'id');
CREATE OR REPLACE TRIGGER threshold_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_threshold FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER brokenseal_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_brokenseal FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER replacedjudge_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_replacedjudge FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER conflict_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_conflict FOR EACH ROW
  EXECUTE FUNCTION moot_seal('debate', 'id');
CREATE OR REPLACE TRIGGER organiserrule_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_organiserrule FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER rescoreset_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_rescoreset FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');
CREATE OR REPLACE TRIGGER erasure_90_sealed AFTER INSERT OR UPDATE OR DELETE ON scoring_erasure FOR EACH ROW
  EXECUTE FUNCTION moot_seal('site', 'id');

-- numbers
-- PostgreSQL takes NaN for a number, greater than every other. It reads these conditions anew for every statement, and of an
-- array that is one comparison, not one for each column.
CREATE OR REPLACE TRIGGER evaluation_00_numbers BEFORE INSERT OR UPDATE ON scoring_evaluation FOR EACH ROW
  WHEN ('NaN' = ANY (ARRAY[NEW.weight, NEW.initial_score, NEW.initial_confidence, NEW.computed_score, NEW.override_score,
      NEW.confidence]))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER entry_00_numbers BEFORE INSERT OR UPDATE ON scoring_scorechange FOR EACH ROW
  WHEN ('NaN' = ANY (ARRAY[NEW.initial_score, NEW.value_before, NEW.value_after, NEW.confidence_before,
      NEW.confidence_after, NEW.computed_before, NEW.computed_after, NEW.override_after, NEW.raw_sum,
      NEW.cumulative_raw, NEW.capped_net, NEW.computed_alone, NEW.covered_value, NEW.second_person_from]))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER approval_00_numbers BEFORE INSERT OR UPDATE ON scoring_approval FOR EACH ROW
  WHEN ('NaN' IN (NEW.value, NEW.value_seen))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER threshold_00_numbers BEFORE INSERT OR UPDATE ON scoring_threshold FOR EACH ROW
  WHEN ('NaN' IN (NEW.points))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER fact_00_numbers BEFORE INSERT OR UPDATE ON scoring_fact FOR EACH ROW
  WHEN ('NaN' = ANY (ARRAY[NEW.amount, NEW.impact, NEW.weight]))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');
CREATE OR REPLACE TRIGGER criterion_00_numbers BEFORE INSERT OR UPDATE ON scoring_criterion FOR EACH ROW
  WHEN ('NaN' IN (NEW.weight))
  EXECUTE FUNCTION moot_refuse('number_is_not_nan');

-- Every guard fires under session_replication_role = replica too.
DO $$
DECLARE
  guard record;
BEGIN
  FOR guard IN
    SELECT t.tgrelid::regclass AS relation, t.tgname FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
    WHERE p.pronamespace = 'public'::regnamespace AND p.proname ~ '^moot_' AND t.tgenabled <> 'A'
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER %I', guard.relation, guard.tgname);
  END LOOP;
END $$;
