"""Reads a recording with public tools, and shows that a tampered one is found out."""

import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from mcap.reader import make_reader
from mcap.stream_reader import StreamReader
from mcap.records import Message
from mcap.writer import CompressionType, Writer
from mcap_protobuf.decoder import DecoderFactory

FOXGLOVE = {"/tf": "FrameTransforms", "/scene": "SceneUpdate", "/log": "Log"}
muster, work = sys.argv[1], Path(sys.argv[2])
recording = work / "run.mcap"
passed = failed = 0


def check(name, holds):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    print(("ok    " if holds else "FAILS ") + name)


def verify(path):
    return subprocess.run([muster, "replay", str(path), "--verify"], capture_output=True, text=True)


def without_json_names(file):
    """A file of a schema less the names that its fields have in JSON: what Foxglove publishes for Python has no such names."""
    for field in (field for message in file.message_type for field in message.field):
        field.ClearField("json_name")
    return file


def is_as_published(schema):
    name = schema.name.removeprefix("foxglove.")
    pool = import_module(f"foxglove_schemas_protobuf.{name}_pb2").DESCRIPTOR.pool
    published = lambda file: FileDescriptorProto.FromString(pool.FindFileByName(file.name).serialized_pb)
    files = FileDescriptorSet.FromString(schema.data).file
    return all(without_json_names(file) == without_json_names(published(file)) for file in files)


with open(recording, "rb") as file:
    reader = make_reader(file, validate_crcs=True)
    summary = reader.get_summary()
    counted = Counter(channel.topic for _, channel, _ in reader.iter_messages())
    stated = {summary.channels[id].topic: n for id, n in summary.statistics.channel_message_counts.items()}
    check("every checksum is right, and the counts agree with the statistics", counted == stated)
    check("there are poses, scenes, log lines and our own channel", set(counted) == {*FOXGLOVE, "/muster/io"})
    schemas = [schema for schema in summary.schemas.values() if schema.name.startswith("foxglove.")]
    check("three schemas are Foxglove's, as it publishes them", len(schemas) == 3 and all(map(is_as_published, schemas)))
    file.seek(0)
    metadata = {record.name: record.metadata for record in make_reader(file).iter_metadata()}["muster"]
    check("the metadata names seed, version, commit and scenario", {"seed", "version", "commit", "scenario"} <= set(metadata))

    decoded, lines = Counter(), []
    same_as_published = True
    file.seek(0)
    reader = make_reader(file, decoder_factories=[DecoderFactory()])
    for schema, channel, message, proto in reader.iter_decoded_messages(topics=list(FOXGLOVE)):
        name = FOXGLOVE[channel.topic]
        decoded[channel.topic] += proto.DESCRIPTOR.full_name == schema.name == f"foxglove.{name}"
        published = getattr(import_module(f"foxglove_schemas_protobuf.{name}_pb2"), name).FromString(message.data)
        same_as_published &= len(published.SerializeToString()) == len(message.data) and str(published) == str(proto)
        if channel.topic == "/log":
            lines.append(proto.message)
    check("Foxglove's schemas in the file decode every message", all(decoded[t] == counted[t] for t in FOXGLOVE))
    check("the published Foxglove schemas decode the same", same_as_published)
    check("the log says who was chosen and why", any("chooses idle-" in line and "SHAME" in line for line in lines))

check("the recording verifies", verify(recording).returncode == 0)
check("a minefield recording has at most 200 kB", recording.stat().st_size <= 200_000)


def rewritten(path, change):
    """The same recording, written anew with right checksums after `change` had a go at each message of ours."""
    with open(recording, "rb") as source, open(path, "wb") as target:
        reader = make_reader(source)
        summary = reader.get_summary()
        writer = Writer(target, compression=CompressionType.LZ4)
        writer.start(profile="", library="tampered")
        schemas = {id: writer.register_schema(s.name, s.encoding, s.data) for id, s in summary.schemas.items()}
        channels = {
            id: writer.register_channel(c.topic, c.message_encoding, schemas[c.schema_id], c.metadata)
            for id, c in summary.channels.items()
        }
        writer.add_metadata("muster", metadata)
        source.seek(0)
        ours = 0
        for _, channel, message in make_reader(source).iter_messages(log_time_order=False):
            data = message.data
            if channel.topic == "/muster/io":
                data, ours = change(ours, data), ours + 1
            writer.add_message(channels[channel.id], message.log_time, data, message.publish_time, message.sequence)
        writer.finish()


rewritten(work / "same.mcap", lambda _, data: data)
check("written anew and unchanged, it still verifies", verify(work / "same.mcap").returncode == 0)


def first_help(data):
    """Where the first HELP of the run stands: Output, Send, to All, HELP; requester 0, life 1, need 0, attempt 1."""
    return data.find(bytes([1, 0, 0, 0, 0, 1, 0, 1]))


calling = None
with open(recording, "rb") as file:
    ours = [m.data for _, c, m in make_reader(file).iter_messages(topics=["/muster/io"], log_time_order=False)]
    calling = next(index for index, data in enumerate(ours) if first_help(data) >= 0)


def moved(index, data):
    if index != calling:
        return data
    place = first_help(data) + 8
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


rewritten(work / "tampered.mcap", moved)
result = verify(work / "tampered.mcap")
check("one bit of the place in one HELP changed, checksums right: it does not verify", result.returncode == 1)
check("and says when, who and what", all(word in result.stdout for word in ["Does not verify: at ", "uav: output Send", "but the run has"]))

cut = work / "cut.mcap"
cut.write_bytes(recording.read_bytes()[: recording.stat().st_size * 2 // 3])
with open(cut, "rb") as file:
    found = 0
    try:
        for record in StreamReader(file).records:
            found += isinstance(record, Message)
    except Exception:  # the package raises at the cut, after what could be read
        pass
check("cut off at two thirds, public tools still read messages", found > 50)
result = verify(cut)
check("and so do we, up to the cut", result.returncode == 0 and "cut off" in result.stdout)

boxes = work / "boxes.mcap"
check("a recording of impatient robots verifies", verify(boxes).returncode == 0)
with open(boxes, "rb") as file:
    north, lines = [], []
    for _, channel, _, proto in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages(topics=["/tf", "/log"]):
        if channel.topic == "/log":
            lines.append(proto.message)
        else:
            north += [(t.translation.y, t.rotation.z) for t in proto.transforms if t.child_frame_id == "box"]
    turns = [abs(z) for _, z in north]
    check("the box goes north, turns on its way and is straight again", north[-1][0] > north[0][0] + 2 and max(turns) > 0.01 > turns[-1])
    check("the log says who started what and why", any("starts push-right" in line for line in lines))
    file.seek(0)
    known = {record.name: record.metadata for record in make_reader(file).iter_metadata()}["muster"]["knowledge"]
    check("what the robots had learned is in the file", "muster-knowledge-1" in known and "[robots.r2-a.push-right]" in known)

reception = work / "reception.mcap"
check("a recording of a reception verifies", verify(reception).returncode == 0)
check("half an hour of it has at most 1 MB", reception.stat().st_size <= 1_000_000)
with open(reception, "rb") as file:
    counted = Counter(channel.topic for _, channel, _ in make_reader(file, validate_crcs=True).iter_messages())
    check("it has a channel of its own, a message a tick and two more", counted["/muster/reception"] == 1802 and "/muster/io" not in counted)
    file.seek(0)
    places, lines, guests = [], [], 0
    for _, channel, _, proto in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages(topics=list(FOXGLOVE)):
        if channel.topic == "/log":
            lines.append((proto.name, proto.message))
        elif channel.topic == "/tf":
            places += [(t.translation.x, t.translation.y) for t in proto.transforms if t.child_frame_id == "Butler"]
        else:
            guests += any(entity.id == "guests" for entity in proto.entities)
    hall = 50 * 0.3048
    check("its robots go about the hall, in metres", len(places) > 100 and all(0 < x < hall and 0 < y < hall for x, y in places))
    check("guests are shown now and then", guests > 50)
    check("the log says who felt what and why", any(name == "Butler" and "HAPPY → CONFIDENT: at " in line for name, line in lines))

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
