"""What courses teach: hill climbing by every rule of the classic assignments, on small boards, step by step."""
