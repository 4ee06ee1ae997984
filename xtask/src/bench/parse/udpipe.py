"""UDPipe 1 beside tercet's parser.

udpipe.py train GOLD.conllu MODEL SENTENCES    a model of so many sentences
udpipe.py dependency FILE TIMES MODEL          seconds of tagging and parsing words with a space between them

UDPipe's package brings no model, and its models are not on the package index. How fast it is does not depend on how
well it
was trained, so it is trained here, for a minute: one pass, with the sizes of its defaults for English, but without
lemmas
and features, which tercet does not predict either.
"""

import json
import resource
import sys
import time

import ufal.udpipe as udpipe

TAGGER = (
    "models=1;iterations_1=2;use_lemma_1=0;provide_lemma_1=0;use_feats=0;provide_feats=0;"
    "use_xpostag=1;provide_xpostag=1"
)
PARSER = (
    "iterations=1;embedding_feats=0;hidden_layer=200;use_gold_tags=1;transition_system=projective;"
    "transition_oracle=static;structured_interval=0"
)


def train(gold, model, count):
    reader = udpipe.InputFormat.newConlluInputFormat()
    with open(gold, encoding="utf-8") as file:
        reader.setText(file.read())
    sentences, error = udpipe.Sentences(), udpipe.ProcessingError()
    while len(sentences) < count:
        sentence = udpipe.Sentence()
        if not reader.nextSentence(sentence, error):
            break
        sentences.push_back(sentence)
    packed = udpipe.Trainer.train("morphodita_parsito", sentences, udpipe.Sentences(), "none", TAGGER, PARSER, error)
    if not packed:
        sys.exit(error.message)
    with open(model, "wb") as file:
        file.write(packed)


def untagged(lines):
    sentences = []
    for words in lines:
        sentence = udpipe.Sentence()
        for word in words:
            sentence.addWord(word)
        sentences.append(sentence)
    return sentences


def analyse(model, sentences):
    for sentence in sentences:
        if not model.tag(sentence, model.DEFAULT) or not model.parse(sentence, model.DEFAULT):
            sys.exit("a sentence could not be parsed")


def dependency(file, times, path):
    model = udpipe.Model.load(path)
    with open(file, encoding="utf-8") as text:
        lines = [line.rstrip("\n").split(" ") for line in text]
    analyse(model, untagged(lines[:50]))
    passes = [untagged(lines) for _ in range(times)]
    cpu = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    start, used = time.perf_counter(), cpu()
    for sentences in passes:
        analyse(model, sentences)
    used, wall = cpu() - used, time.perf_counter() - start
    words = sum(len(line) for line in lines)
    print(json.dumps({"cpu_s": used / times, "wall_s": wall / times, "sentences": len(lines), "words": words}))


if sys.argv[1] == "train":
    train(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    dependency(sys.argv[2], int(sys.argv[3]), sys.argv[4])
